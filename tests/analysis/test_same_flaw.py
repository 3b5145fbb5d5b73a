"""The flaw that a fix took away is found elsewhere but for local names, and nothing else is."""

from __future__ import annotations

import pytest

from analysis.same_flaw import find_siblings

BEFORE = b"""
def last(items):
    return items[len(items)]


def tail(rows, start):
    found = rows[len(rows)]
    return found, rows[len(rows) - 1], rows[len(start)]


class Shop:
    def newest(self, orders):
        if orders:
            return orders[len(orders)]
        return None
"""
AFTER = BEFORE.replace(b"items[len(items)]", b"items[len(items) - 1]")


def test_the_same_code_with_other_local_names_is_a_sibling() -> None:
    flaw, found = find_siblings(BEFORE, AFTER, "last", {"shop.py": BEFORE}, "shop.py")
    assert flaw == "items[len(items)]"
    assert [(each.line, each.function, each.text) for each in found] == [
        (7, "tail", "rows[len(rows)]"),
        (14, "Shop.newest", "orders[len(orders)]"),
    ]


def test_names_that_are_not_bound_and_constants_stay_as_they_are() -> None:
    before = b"def a(x):\n    return round(x * RATE, 1)\n"
    after = before.replace(b"1)", b"2)")
    other = b"def b(y):\n    return round(y * RATE, 1), round(y * TAX, 1), round(y * RATE, 3)\n"
    _, found = find_siblings(before, after, "a", {"a.py": before, "b.py": other}, "a.py")
    assert [each.text for each in found] == ["round(y * RATE, 1)"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"def a(x):\n    return x\n", b"def a(x):\n    return x + 1\n"),  # too common to be looked for
        (b"def a(x):\n    return x\n", b"def a(x):\n    x = 1\n    return x\n"),  # only adds
        (b"def a(x):\n    return x\n", b"def a(x):\n    return x\n"),
        (b"def a(:\n", b"def a(x):\n    return x\n"),
        (b"", b""),
    ],
)
def test_what_cannot_be_looked_for_has_no_siblings(before: bytes, after: bytes) -> None:
    assert find_siblings(before, after, "a", {"a.py": before, "b.py": b"def b(y):\n    return y\n"}, "a.py") == ("", ())


def test_a_file_that_cannot_be_parsed_is_passed_over() -> None:
    _, found = find_siblings(BEFORE, AFTER, "last", {"bad.py": b"def (", "shop.py": BEFORE}, "shop.py")
    assert len(found) == 2
