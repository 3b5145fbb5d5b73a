"""A small program before and after, and generated tests of it."""

from __future__ import annotations

import textwrap

from repair.survey.growing.new_files import marked
from repair.survey.healing.generated_file import GeneratedFile, read_generated
from repair.survey.healing.program_version import NamedProgram

SHOP = '''\
"""A shop."""


def total(prices):
    """Add up prices.

    Returns 0 for an empty list.
    """
    if len(prices) == 0:
        return 0
    return sum(prices)


def discount(price, percent=10):
    """Take percent off.

    Raises:
        ValueError: If price is negative.

    >>> discount(50)
    45
    """
    if price < 0:
        raise ValueError("negative")
    return price * (100 - percent) // 100


class Cart:
    def __init__(self, items):
        self.items = items

    def dear(self, least):
        return [item for item in self.items if item > least]
'''
TESTS = '''\
import pytest

from shop import Cart, discount, total


def test_total():
    # Required: shop.py:7 says "Returns 0 for an empty list."
    assert total([]) == 0


def test_discount_raises_value_error():
    # Required: shop.py:18 says "ValueError: If price is negative."
    with pytest.raises(ValueError):
        discount(-1)


def test_discount():
    # Required: shop.py:20 says ">>> discount(50) 45"
    assert discount(50) == 45


@pytest.mark.parametrize(("price", "percent", "expected"), [
    (10, 50, 5),
    (100, 1, 99),
    (30, 0, 30),
])
def test_discount_2(price, percent, expected):
    """Pinned: so it behaves now; nobody said that it should."""
    assert discount(price, percent=percent) == expected


def test_cart_dear():
    # Asked: a person answered "shop.Cart(items=[1, 5]).dear(2) == [5]"
    assert Cart(items=[1, 5]).dear(2) == [5]
'''


def program(commit: str = "", **files: str) -> NamedProgram:
    """A program of these modules."""
    return NamedProgram.of(
        tuple((f"{name}.py", textwrap.dedent(text).encode()) for name, text in files.items()), commit
    )


def generated(text: str = TESTS) -> GeneratedFile:
    """A file of generated tests that nobody edited."""
    found = read_generated("test_grown_shop.py", marked(text).encode())
    assert isinstance(found, GeneratedFile), found
    return found
