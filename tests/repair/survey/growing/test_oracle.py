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


TOLD = Raised("ValueError", "'a negative price: -1'")
SAYS_LESS = Raised("ValueError", "'price'")


def test_what_an_exception_says_is_asked_for_where_nothing_else_differs():
    assert claims(TOLD, SAYS_LESS, wrapped=False) == ["raises ValueError that says 'a negative price: -1'"]
    assert claims(TOLD, Raised("KeyError", "'price'"), wrapped=False) == ["raises ValueError"]
    assert claims(TOLD, TOLD, wrapped=False) == []


@pytest.mark.parametrize("hostile", ["'a' # b", "'a'\nimport os", "'a' 'b'", "(exit())", "a", ""])
def test_no_message_brings_more_than_a_text(hostile):
    found = claims(Raised("ValueError", hostile), SAYS_LESS, wrapped=False)
    assert found in ([], ["raises ValueError that says 'a'"], ["raises ValueError that says 'ab'"])


@pytest.mark.parametrize(
    "unsteady",
    [
        Raised("ValueError", "'invalid literal for int()'", incidental=True),
        Raised("ValueError", "'<object at 0x7f3210abcdef>'"),
        Raised("ValueError", "'nothing at <tmp>/a.txt'"),
        Raised("ValueError", f"'{'long ' * 40}'"),
        Raised("ValueError", "'only a piece'", whole=False),
    ],
)
def test_no_test_repeats_what_the_project_did_not_write_or_no_run_says_again(unsteady):
    assert claims(unsteady, SAYS_LESS, wrapped=False) == []


LONG = Returned("Refusal(func=<fits>, reason='too long', most=2, _kept=1, seen=[1, <object>])")
SHORT = Returned("Refusal(func=<fits>, reason='', most=2, _kept=2, seen=[2, <object>])")


def test_of_an_object_that_nothing_makes_the_plain_fields_are_asked_for():
    [function] = [each.function for each in functions_of("shop.py", SHOP)]
    maker = CaseMaker(function, (("shop.py", SHOP),), stated_of(function, SHOP), "", ())
    assert [each.source for each in maker.cases(Difference(CALL, LONG, SHORT))] == [
        "shop.fits('abc', 2).reason == 'too long'"
    ]
    assert [each.source for each in maker.of_field(CALL, "most", "2")] == ["shop.fits('abc', 2).most == 2"]
    assert maker.cases(Difference(CALL, LONG, Returned("Refusal(func=<other>, reason='too long', most=2)"))) == ()
