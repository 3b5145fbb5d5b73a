"""What a quote says of a claim, and what it does not."""

from __future__ import annotations

import pytest

from analysis.stated.citation import uncited


@pytest.mark.parametrize(
    ("relation", "value", "quote"),
    [
        ("EQUALS", "0", "Returns 0 for an empty list."),
        ("EQUALS", "0", "Gives zero where nothing is there."),
        ("EQUALS", "-1", "Returns -1 if nothing matches."),
        ("EQUALS", "[]", "Returns an empty list for None."),
        ("EQUALS", "None", "Return nothing if the key is missing."),
        ("EQUALS", "True", "Returns true if it holds."),
        ("EQUALS", "''", 'Returns "" for no name.'),
        ("EQUALS", "'a b'", ">>> lonely('a b c') 'a b'"),
        ("EQUALS", "(1, 'x')", "returns (1, 'x')"),
        ("RAISES", "ValueError", "ValueError: If price is negative."),
        ("RAISES", "shop.BadPrice", "Raises BadPrice on 0."),
        ("AT_LEAST", "0", "The result is never negative."),
        ("COUNT_AT_MOST", "5", "Returns at most 5 items."),
        ("SORTED", "", "Returns a sorted list."),
        ("DESCENDING", "", "Returns them in descending order."),
        ("IS_KIND", "(list, type(None))", "-> list[int] | None"),
    ],
)
def test_what_is_said(relation, value, quote):
    assert uncited(relation, value, quote) == ()


@pytest.mark.parametrize(
    ("relation", "value", "quote", "missing"),
    [
        ("EQUALS", "1", "Returns 0 for an empty list.", ("1",)),
        ("EQUALS", "1", "Returns 10 for an empty list.", ("1",)),
        ("EQUALS", "1", "Returns 1.5 for an empty list.", ("1",)),
        ("EQUALS", "1", "Returns -1 for an empty list.", ("1",)),
        ("EQUALS", "[0]", "Returns an empty list.", ("0",)),
        ("EQUALS", "'b'", "Returns 'a'.", ("'b'",)),
        ("RAISES", "KeyError", "ValueError: If price is negative.", ("KeyError",)),
        ("SORTED", "", "Returns a list.", ("sorted",)),
        ("AT_MOST", "3", "Returns 3 numbers.", ("at most",)),
        ("IS_KIND", "(float, int)", "-> float", ("int",)),
    ],
)
def test_what_is_not_said(relation, value, quote, missing):
    assert uncited(relation, value, quote) == missing
