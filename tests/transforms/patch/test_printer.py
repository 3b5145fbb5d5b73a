"""The quick way of printing an edit gives the very bytes of the whole one."""

import json
import textwrap
from pathlib import Path

import libcst as cst
import pytest

from analysis.facts import FunctionId
from analysis.functions import functions_of
from transforms.enumerate.proposals import proposals_and_pauses
from transforms.ingredients.within_reach import ingredients_of
from transforms.operators.operator import Neighbourhood
from transforms.patch.apply import render
from transforms.patch.printer import Printer
from transforms.tree.candidate import Rejected
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope, open_scope

TOY = textwrap.dedent(
    '''
    class Basket:
        def total(self, items, *, rate=0.0):
            """Sum of prices."""
            if not(items):
                return(0)
            total = sum(
                item.price
                for item in items
            )
            text = f"{total:.2f} {self.unit}"
            return text if rate else-total, [x for x in items if x]
    '''
).encode()


NESTED = textwrap.dedent(
    """
    class Reader:
    \t@property
    \tdef lines(self, path, wanted=None):
    \t\t# opens it
    \t\tfound = []  # none yet
    \t\tfor line in open(path):
    \t\t\t# skips what is not wanted
    \t\t\tif wanted and line not in wanted:
    \t\t\t\tcontinue
    \t\t\telif not line: found.append(None); break
    \t\t\telse:
    \t\t\t\tfound.append(
    \t\t\t\t\tline.strip(
    \t\t\t\t\t\t"x" "y"
    \t\t\t\t\t),
    \t\t\t\t)
    \t\t\t\t# kept

    \t\ttry:
    \t\t\ttotal = len(found) + \\
    \t\t\t\tlen(path)
    \t\texcept (TypeError, ValueError) as problem:
    \t\t\traise ValueError(f"{path}: {problem}") from problem
    \t\tif total:
    \t\t\treturn found
    \t\t\t# nothing is left
    """
).encode()


def scopes_of(source: bytes) -> list[EditScope]:
    found = [open_scope(source, span) for span in functions_of("m.py", source)]
    return [scope for scope in found if isinstance(scope, EditScope)]


def same(one: object, other: object) -> bool:
    if isinstance(one, Rejected) or isinstance(other, Rejected):
        return type(one) is type(other)
    return one == other


def compared(scope: EditScope, source: bytes, most: int) -> int:
    near = Neighbourhood(ingredients_of(source, scope.function))
    printer = Printer(scope)
    count = 0
    for proposal in filter(None, proposals_and_pauses(scope, near)):
        assert same(printer.render(proposal), render(scope, proposal)), proposal.origin
        count += 1
        if count >= most:
            break
    return count


def test_each_edit_of_a_small_function_prints_the_same_both_ways():
    (scope,) = scopes_of(TOY)
    assert compared(scope, TOY, 600) > 300


@pytest.mark.parametrize(
    "source", [NESTED, NESTED.replace(b"\n", b"\r\n"), NESTED.expandtabs(2)], ids=["tabs", "crlf", "two"]
)
def test_comments_blocks_and_continued_lines_print_the_same_both_ways(source):
    (scope,) = scopes_of(source)
    assert compared(scope, source, 400) > 300


@pytest.mark.parametrize("deleted", range(4))
def test_a_statement_that_vanishes_takes_the_same_comments_with_it(deleted):
    source = (
        b"def f(x):\n    # one\n    a = 1  # a\n    # two\n    b = 2\n"
        b"    if x:\n        # three\n        c = 3\n    # four\n    return a\n"
    )
    (scope,) = scopes_of(source)
    at = ("body", "body", deleted)
    for nodes in ((), (cst.SimpleStatementLine([cst.Pass()]),), (scope.node.body.body[deleted],) * 2):
        edit = Proposal(scope.function, (Replacement(at, nodes),), Origin("test", "statement"))
        assert same(Printer(scope).render(edit), render(scope, edit))


@pytest.mark.parametrize("name", ["decoder.py", "encoder.py"])
def test_edits_of_the_standard_library_print_the_same_both_ways(name):
    source = (Path(json.__file__).parent / name).read_bytes()
    assert sum(compared(scope, source, 60) for scope in scopes_of(source)[:6]) > 100


def test_a_bare_name_that_does_not_fit_is_printed_whole():
    (scope,) = scopes_of(b"def f(x):\n    return(x)\n")
    at = ("body", "body", 0, "body", 0, "value")
    edit = Proposal(FunctionId("m.py", "f", 1), (Replacement(at, (cst.Integer("1"),)),), Origin("test", "literal"))
    made = Printer(scope).render(edit)
    assert not isinstance(made, Rejected)
    assert made == render(scope, edit)
    compile(made.text, "m.py", "exec")
