"""Properties that hold on hundreds of inputs, and those that do not."""

from __future__ import annotations

import pytest
from fakes.callers import Caller

from analysis.calls import CallInput, RecordedCall
from analysis.facts import Files, Limits, TestId
from analysis.functions import functions_of
from analysis.stated.function import stated_of
from repair.records.functions import edit_scope
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.differences import FoundInputs, OpenFunction
from repair.survey.growing.oracle import CaseMaker
from repair.survey.growing.properties import property_cases

SHOP = b"""
def strip(text):
    return text.strip("ab").strip("c")


def shorten(text):
    return text.strip("ab")


def total(prices):
    return sum(prices)


def last(prices):
    return prices[-1] if prices else 0


def encode(text):
    return text + "!"


def decode(text):
    return text[:-1]


def plain(text):
    return text


def root(n):
    if n < 0:
        raise ValueError(n)
    return n ** 0.5


def few(n):
    if n < 0 or n == 77:
        raise ValueError(n)
    return n


def first(prices):
    if not prices:
        raise LookupError("nothing")
    return prices[0]
"""
FILES: Files = (("shop.py", SHOP),)


def found(name: str, seen: str, call: str) -> list[CallCase]:
    functions = [each.function for each in functions_of("shop.py", SHOP)]
    function = next(each for each in functions if each.qualname == name)
    opened = OpenFunction(edit_scope(FILES, function), (), (), stated_of(function, SHOP))
    calls = tuple(RecordedCall(TestId("t"), CallInput(f"({value!r},)", "{}"), True) for value in eval(seen))
    maker = CaseMaker(function, FILES, opened.stated, "", ())
    pinned = CallCase(name, call, Claim(ClaimKind.EQUALS, "1"), given="given")
    inputs = FoundInputs(calls=calls)
    return list(property_cases(Caller(SHOP.decode()), opened, inputs, maker, [pinned], functions, Limits(), 0))


TEXTS = "['abcabc', 'xyab', 'bcd efgh', 'acxa', 'bdca']"
ROWS = "[[1, 2, 3, 4], [40, 30], [5, 60, 7]]"


@pytest.mark.parametrize(
    ("name", "seen", "call", "tests"),
    [
        ("shorten", TEXTS, "shop.shorten('ax')", [("shop.shorten(shop.shorten('ax'))", "shop.shorten('ax')")]),
        ("strip", TEXTS, "shop.strip('ax')", []),
        ("total", ROWS, "shop.total([1, 2])", [("shop.total([1, 2])", "shop.total([2, 1])")]),
        ("total", ROWS, "shop.total([2, 2])", []),
        ("last", ROWS, "shop.last([1, 2])", []),
        ("encode", TEXTS, "shop.encode('ax')", [("shop.decode(shop.encode('ax'))", "'ax'")]),
        ("plain", TEXTS, "shop.plain('ax')", []),
    ],
)
def test_what_holds(name, seen, call, tests):
    cases = found(name, seen, call)
    assert [(case.call, case.claim.value) for case in cases] == tests
    for case in cases:
        assert int(case.said.split(" on all of ")[1].split(" ")[0]) >= 50
        assert case.standing.value == "pinned"


def test_too_few_inputs_say_nothing():
    assert found("shorten", "['a']", "shop.shorten('ax')") == []


NUMBERS = "[1, 7, -3, 40, 77, -900, 12]"


def refused(name: str, seen: str, call: str, error: str) -> list[str]:
    functions = [each.function for each in functions_of("shop.py", SHOP)]
    function = next(each for each in functions if each.qualname == name)
    opened = OpenFunction(edit_scope(FILES, function), (), (), stated_of(function, SHOP))
    calls = tuple(RecordedCall(TestId("t"), CallInput(f"({value!r},)", "{}"), True) for value in eval(seen))
    maker = CaseMaker(function, FILES, opened.stated, "", ())
    pinned = CallCase(name, call, Claim(ClaimKind.RAISES, error), given="given")
    caller, inputs = Caller(SHOP.decode()), FoundInputs(calls=calls)
    cases = list(property_cases(caller, opened, inputs, maker, [pinned], functions, Limits(), 0))
    assert all((case.call, case.claim) == (call, pinned.claim) for case in cases)
    return [case.said.split(" on all of ")[0] for case in cases]


@pytest.mark.parametrize(
    ("name", "seen", "call", "error", "said"),
    [
        ("root", NUMBERS, "shop.root(-1)", "ValueError", ["ValueError comes where n < 0, and nowhere else,"]),
        ("root", NUMBERS, "shop.root(n=-1)", "ValueError", ["ValueError comes where n < 0, and nowhere else,"]),
        ("root", NUMBERS, "shop.root(1)", "ValueError", []),
        ("root", NUMBERS, "shop.root(-1)", "KeyError", []),
        ("few", NUMBERS, "shop.few(-1)", "ValueError", []),
    ],
)
def test_what_is_refused_under_a_condition_and_nowhere_else(name, seen, call, error, said):
    assert refused(name, seen, call, error) == said
