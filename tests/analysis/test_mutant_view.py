"""Where a mutant differs from the text that it was made of."""

import time

import pytest

from analysis.mutant_view import MOST_OF_TEXT, view_mutant
from analysis.mutation_score import MutantState

TEXT = "def price(n):\n    if n < 10:\n        return total\n    return n * 2\n"


def view(mutated, text=TEXT, first=7):
    return view_mutant(text, mutated, first, "op", "label", MutantState.KILLED, "t.py::test")


@pytest.mark.parametrize(
    ("was", "becomes", "old", "new", "place"),
    [
        ("n < 10", "n <= 10", "<", "<=", (8, 9, 8, 10)),
        ("n < 10", "n < 11", "10", "11", (8, 11, 8, 13)),
        ("return total", "return None", "total", "None", (9, 15, 9, 20)),
        ("n * 2", "n ** 2", "*", "**", (10, 13, 10, 14)),
        ("return n * 2", "pass", "return n * 2", "pass", (10, 4, 10, 16)),
        ("if n < 10:", "if not (n < 10):", "n < 10", "not (n < 10)", (8, 7, 8, 13)),
    ],
)
def test_words_and_signs_are_told_whole(was, becomes, old, new, place):
    found = view(TEXT.replace(was, becomes, 1))
    assert (found.old, found.new) == (old, new)
    assert (found.line, found.column, found.end_line, found.end_column) == place
    assert (found.operator, found.label, found.state, found.killed_by) == (
        "op",
        "label",
        MutantState.KILLED,
        "t.py::test",
    )


def test_of_a_statement_that_is_gone_the_line_is_its_own():
    text = "def f(n):\n    a = 1\n\n    b = 2\n    return b\n"
    found = view(text.replace("\n    b = 2\n", ""), text, 1)
    assert (found.line, found.column, found.end_line, found.end_column) == (4, 4, 4, 9)
    assert (found.old, found.new) == ("b = 2", "")


def test_the_new_text_in_the_place_of_the_old_gives_the_mutant():
    lines = TEXT.split("\n")
    for mutated in (
        TEXT.replace("10", "-10"),
        TEXT.replace("        return total\n", "        pass\n"),
        TEXT[:-1] + "#\n",
    ):
        found = view(mutated, first=1)
        start = sum(len(line) + 1 for line in lines[: found.line - 1]) + found.column
        end = sum(len(line) + 1 for line in lines[: found.end_line - 1]) + found.end_column
        assert TEXT[:start] + found.new + TEXT[end:] == mutated


def test_long_texts_are_cut_and_do_not_take_long():
    text = "x = " + "a" * 200_000 + "\n"
    began = time.monotonic()
    assert len(view("x = " + "b" * 200_000 + "\n", text).new) == MOST_OF_TEXT
    assert time.monotonic() - began < 2
    assert view(text, text).old == view(text, text).new == ""
