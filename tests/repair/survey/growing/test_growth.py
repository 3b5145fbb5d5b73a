"""What a growing says of what it could not do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.grown import growing

from analysis.errors import UsageError
from repair.records.grown import GrownFunction
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.function_growth import Grown
from repair.survey.growing.growth import choose_functions, describe_rewritings, say_late

ONE = Grown(GrownFunction("shop.py", "total", 1), (CallCase("total", "shop.total([])", Claim(ClaimKind.EQUALS, "0")),))


@pytest.mark.parametrize(
    ("late", "unrun", "said"),
    [
        (0, 0, []),
        (2, 0, ["2 of 3 functions had no turn: the time was over"]),
        (0, 2, ["2 tests left out, not run as they would lie in the project: the time was over"]),
    ],
)
def test_what_the_time_cut_off_is_said(late, unrun, said):
    assert list(say_late(late, 3, unrun)) == said


def test_too_few_rewritings_are_said():
    many = replace(ONE, function=replace(ONE.function, rewritings=3))
    assert describe_rewritings([many]) == "the tests held on 3 or more texts of their function that do the same"
    assert describe_rewritings([many, ONE]).endswith("the same, but for total (0), of which there are not so many")
    assert "total" not in describe_rewritings([replace(ONE, cases=())])


SHOP = b"""
def total(prices):
    return sum(prices)

class Cart:
    def total(self):
        return 1

    @property
    def size(self):
        return 2

    @size.setter
    def size(self, size):
        self.kept = size

class Van(Cart):
    @property
    def size(self):
        return 3
"""


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("total", ["total"]),
        ("Cart.total", ["Cart.total"]),
        ("Cart.size", ["Cart.size", "Cart.size"]),
        ("shop.py:Cart.size", ["Cart.size", "Cart.size"]),
        ("shop.Cart.size", ["Cart.size", "Cart.size"]),
        ("Van.size", ["Van.size"]),
        ("size", "Several functions are called 'size'"),
        ("none", "There is no path and no function 'none'"),
    ],
)
def test_a_name_means_one_function_or_a_property_with_its_setter(name, chosen):
    grower, _ = growing(SHOP, b"from shop import total\n\ndef test_total():\n    assert total([1]) == 1\n")
    if isinstance(chosen, str):
        with pytest.raises(UsageError, match=chosen):
            choose_functions(grower.seen, [name])
    else:
        assert [each.function.qualname for each in choose_functions(grower.seen, [name])] == chosen
