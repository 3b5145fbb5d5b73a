"""Smells that only a run can show.

These are assertions that were never reached (rotten green tests: Delplanque et al. 2019). And they are expected values
that are computed as the program computes them: then both are wrong together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from analysis.constant_truth import constant_truth
from analysis.facts import TestId
from analysis.function_text import FunctionNode, dotted_name, last_name, parents, parse_module, upwards
from analysis.lines import Lines
from analysis.quality.assertions import is_assertion, line_of
from analysis.quality.case import Case
from analysis.quality.smell import Severity, Smell
from analysis.result_forms import forms_of
from analysis.statement_lines import has_run

_ASSERTING = (ast.Assert, ast.Raise, ast.Call)
_FAILS = ("pytest.fail", "self.fail", "fail")


def assertions_not_run(case: Case, test: TestId, ran: Set[int]) -> Iterator[Smell]:
    """T28 where a test passed and none of its assertions ran, T28-some for each one that did not.

    ``ran`` are the lines of its file that the test ran, in all of its cases together. Nothing can be said where not
    even its first lines were seen. An assertion that fails whenever it is reached asserts by not being reached.
    """
    meant = [node for node in case.assertions if not _always_fails(node)]
    if not was_seen(case, ran):
        return
    idle = [node for node in meant if not _has_asserted(case, node, ran)]
    if idle and len(idle) == len(case.assertions):
        said = "The test passed, and none of its assertions ran."
        yield Smell("T28", Severity.REJECT, test, line_of(idle[0]), said)
        return
    above = parents(case.function)
    for line in sorted({line_of(node) for node in idle if not _is_alternative(node, above, ran)}):
        yield Smell("T28-some", Severity.WARN, test, line, "This assertion did not run.")


def assertion_lines(source: bytes) -> Lines:
    """The lines of a file on which something asserts; none where it cannot be read."""
    tree = parse_module(source)
    nodes = ast.walk(tree) if isinstance(tree, ast.Module) else ()
    return Lines.from_ranges(
        (n.lineno, n.end_lineno or n.lineno) for n in nodes if isinstance(n, _ASSERTING) and is_assertion(n)
    )


def was_seen(case: Case, ran: Set[int]) -> bool:
    """Whether the lines tell of the test's own body."""
    return any(_has_run(statement, ran) for statement in case.function.body)


def all_have_run(case: Case, ran: Set[int]) -> bool:
    """Whether every assertion that is meant to be reached was."""
    return was_seen(case, ran) and all(
        _has_asserted(case, node, ran) for node in case.assertions if not _always_fails(node)
    )


def _has_asserted(case: Case, node: ast.AST, ran: Set[int]) -> bool:
    """Whether the assertion ran; a call of a helper of the file counts where one of the helper's own did.

    Functions of one name may stand in several tests: those that ran are meant, and of one without assertions nothing is
    said.
    """
    named = last_name(node.func) if isinstance(node, ast.Call) else ""
    if not _has_run(node, ran) or named not in case.helpers:
        return _has_run(node, ran)
    helpers = [n for n in ast.walk(case.module) if isinstance(n, FunctionNode) and n.name == named]
    called = [helper for helper in helpers if any(_has_run(statement, ran) for statement in helper.body)]
    own = [n for helper in called for n in ast.walk(helper) if is_assertion(n, case.helpers)]
    return not own or any(_has_run(each, ran) for each in own)


def _always_fails(node: ast.AST) -> bool:
    match node:
        case ast.Assert(test=test):
            return constant_truth(test) is False
        case ast.Raise():
            return True
        case ast.Call(func=func):
            return dotted_name(func) in _FAILS
    return False


def _is_alternative(node: ast.AST, above: dict[ast.AST, ast.AST], ran: Set[int]) -> bool:
    """Whether another branch of a condition around it was taken instead."""
    for child, parent in upwards(node, above):
        if isinstance(parent, ast.If):
            other = parent.orelse if child in parent.body else parent.body if child in parent.orelse else []
            if any(_has_run(statement, ran) for statement in other):
                return True
    return False


def _has_run(node: ast.AST, ran: Set[int]) -> bool:
    first = line_of(node)
    return has_run((first, int(getattr(node, "end_lineno", None) or first)), ran)


def implementation_copied(case: Case, test: TestId, results: Set[str]) -> Iterator[Smell]:
    """T19: the test holds an expression of the form of a result of a function that it runs."""
    for node in case.nodes if results else ():
        if isinstance(node, ast.expr) and any(form in results for form in forms_of(node)):
            said = "The expected value is computed in the way of the function under test."
            yield Smell("T19", Severity.WARN, test, line_of(node), said)
            return
