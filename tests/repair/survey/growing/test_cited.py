"""Every required claim stands in its quote, as somebody finds who knows nothing of how it was made."""

from __future__ import annotations

import pytest
from fakes.cited import complaints, required_tests
from fakes.grown import grow_all

SHOP = '''\
def total(prices):
    """Add up prices.

    Returns 0 for an empty list.
    """
    if len(prices) == 0:
        return 0
    return sum(prices)


def discount(price):
    """A tenth less.

    Raises:
        ValueError: If price is negative.
    """
    if price < 0:
        raise ValueError("a negative price")
    return price * 9 // 10


def ranked(values):
    """Returns a sorted list."""
    return sorted(values)


def first(values, default=None):
    """Returns None if values is empty, and
    never less than `default`."""
    return values[0] if len(values) > 0 else None


def level(points):
    """The level.

    >>> level(10)
    2
    """
    return 1 + points // 10
'''
TESTS = """\
from shop import discount, first, level, ranked, total


def test_all():
    assert total([1, 2]) == 3
    assert discount(10) == 9
    assert len(ranked([2, 1])) == 2
    assert first([4]) == 4
    assert level(0) == 1
"""


@pytest.fixture(scope="module")
def grown() -> str:
    return grow_all(SHOP.encode(), TESTS.encode())


def test_each_claim_is_said(grown):
    names = {function.name for function, _ in required_tests(grown)}
    assert {"test_total", "test_discount_raises_value_error", "test_level"} <= names
    assert complaints(grown, {"shop.py": SHOP}) == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("== 0", "== 4", "claims 4"),
        ("raises(ValueError)", "raises(KeyError)", "claims KeyError"),
        ("Returns 0 for", "Returns 7 for", "quotes what does not stand there"),
        ("shop.py:4 says", "other.py:4 says", "quotes what does not stand there"),
        ("shop.py:4 says", "says", "names no place"),
    ],
)
def test_the_reader_finds_what_was_doctored(grown, before, after, said):
    doctored = grown.replace(before, after)
    assert doctored != grown
    assert any(said in each for each in complaints(doctored, {"shop.py": SHOP}))


def test_a_changed_sentence_makes_its_test_suspect_and_no_other(grown):
    changed = SHOP.replace("Returns 0 for an empty list.", "Returns nothing for an empty list.")
    found = complaints(grown, {"shop.py": changed})
    assert found == ["test_total quotes what does not stand there"]
