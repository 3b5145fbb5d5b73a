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
