"""What a test may claim of a call: of a function that a decorator wraps, whether its end counts as true."""

from __future__ import annotations

import pytest

from analysis.behaviour import Call, Difference, Raised, Returned
from analysis.functions import functions_of
from analysis.stated.function import stated_of
from repair.survey.growing.oracle import CaseMaker

SHOP = b"""
@explained
def fits(text, most):
    return len(text) <= most
"""
CALL = Call("fits", "('abc', 2)")


def claims(mine: Raised | Returned, other: Raised | Returned, *, wrapped: bool) -> list[str]:
    [function] = [each.function for each in functions_of("shop.py", SHOP)]
    maker = CaseMaker(function, (("shop.py", SHOP),), stated_of(function, SHOP), "", (), wrapped)
    return [str(case.claim) for case in maker.cases(Difference(CALL, mine, other))]


@pytest.mark.parametrize(
    ("mine", "other", "told"),
    [
        (Returned("False"), Returned("True"), ["== False", "counts as false"]),
        (Returned("True"), Returned("False"), ["== True", "counts as true"]),
        (Raised("ValueError"), Returned("True"), ["raises ValueError", "counts as false"]),
        (Returned("[]"), Returned("[1]"), ["== []", "counts as false"]),
    ],
)
def test_a_decorator_may_make_something_else_of_an_end(mine, other, told):
    assert claims(mine, other, wrapped=True) == told
    assert claims(mine, other, wrapped=False) == told[:1]


def test_equal_truths_are_no_reason_for_a_test():
    assert claims(Returned("True"), Returned("True"), wrapped=True) == []


TILL = b'''
class Till:
    def fee(self, amount):
        """Raises ValueError if amount is negative."""
        return amount

    @property
    def least(self):
        return 5

    @staticmethod
    def plain(amount):
        return amount
'''
ON_A_TILL = "on Till(paper=<_io.StringIO object>)"


@pytest.mark.parametrize(
    ("name", "arguments", "mine", "told"),
    [
        ("fee", "(3)", Returned("7"), ["till.fee(3) == 7"]),
        ("fee", "(-3)", Raised("ValueError"), ["till.fee(-3) raises ValueError"] * 2),
        ("least", "()", Returned("5"), ["till.least == 5"]),
        ("plain", "(3)", Returned("7"), ["shop.Till.plain(3) == 7"]),
        ("fee", "(<object>)", Returned("7"), []),
    ],
)
def test_what_no_constructor_makes_a_fixture_may_give(name, arguments, mine, told):
    qualname = f"Till.{name}"
    [function] = [each.function for each in functions_of("shop.py", TILL) if each.function.qualname == qualname]
    maker = CaseMaker(function, (("shop.py", TILL),), stated_of(function, TILL), "", (), False, ("till",))
    call = Call(name, arguments, ON_A_TILL, instance="Till(paper=<_io.StringIO object>)")
    cases = maker.cases(Difference(call, mine, Returned("8")))
    assert [each.source for each in cases] == told
    assert {each.fixtures for each in cases} <= {("till",)} if name != "plain" else {()}
    bare = CaseMaker(function, (("shop.py", TILL),), stated_of(function, TILL), "", ()).cases(
        Difference(call, mine, Returned("8"))
    )
    assert [each.source for each in bare] == (told if name == "plain" else [])
