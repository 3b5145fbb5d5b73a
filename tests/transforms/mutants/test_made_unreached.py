"""Which mutants no test can notice, by the lines that ran."""

from __future__ import annotations

import pytest

from analysis.functions import functions_of
from transforms.mutants.made import mutants, unreached_mutants
from transforms.tree.candidate import Rejected
from transforms.tree.scope import EditScope, open_scope

SOURCE = """\
import os


class A:
    def f(self, a, b=1):
        global c
        if (a
                and b):
            return a + 1
        elif a > 2:
            b = 3
        for a in b:
            continue
        try:
            a = b()
        except KeyError:
            a = 0
        return [
            a,
            b,
        ]
"""


def scope_of(source: str = SOURCE) -> EditScope:
    scope = open_scope(source.encode(), functions_of("m.py", source.encode())[0])
    assert not isinstance(scope, Rejected)
    return scope


def lines_left_out(*ran: int) -> set[int]:
    scope = scope_of()
    return {mutant.line for mutant in unreached_mutants(scope, mutants(scope), set(ran))}


def test_mutants_of_statements_without_a_line_that_ran_are_left_out() -> None:
    assert lines_left_out(7, 10, 12, 15, 20) == {9, 11, 16, 17}


def test_a_statement_has_run_where_any_of_its_lines_has() -> None:
    assert lines_left_out(8, 18) == {9, 10, 11, 12, 15, 16, 17}


def test_what_may_leave_no_line_is_taken_to_have_run() -> None:
    """``global``, ``try:`` and ``continue`` have none in the byte code of some Python."""
    assert not {5, 6, 13, 14} & lines_left_out(7)


@pytest.mark.parametrize("ran", [(), (1, 5), (300,)])
def test_lines_of_something_else_say_nothing(ran: tuple[int, ...]) -> None:
    assert lines_left_out(*ran) == set()


def test_of_two_statements_in_a_line_either_may_have_run() -> None:
    scope = scope_of("def f(a):\n    if a: return 1\n    return 2\n")
    assert {m.line for m in unreached_mutants(scope, mutants(scope), {2})} == {3}
