"""The quick way of printing an edit gives the very bytes of the whole one."""

import json
import textwrap
from pathlib import Path

import libcst as cst
import pytest

from analysis.facts import FunctionId
from analysis.functions import functions_of
from transforms.apply import render
from transforms.candidate import Rejected
from transforms.enumerate import proposals
from transforms.ingredients import ingredients_of
from transforms.operators.operator import Neighbourhood
from transforms.printer import Printer
from transforms.proposal import Origin, Proposal, Replacement
from transforms.scope import EditScope, open_scope

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
    for proposal in proposals(scope, near, seed=0, line_scores=()):
        assert same(printer.render(proposal), render(scope, proposal)), proposal.origin
        count += 1
        if count >= most:
            break
    return count


def test_each_edit_of_a_small_function_prints_the_same_both_ways():
    (scope,) = scopes_of(TOY)
    assert compared(scope, TOY, 1500) > 300


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
