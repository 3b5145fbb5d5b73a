"""Tests for one function, grown over a sandbox that runs in this process."""

from __future__ import annotations

import ast
import textwrap
import time
from dataclasses import replace

import pytest
from fakes.callers import Caller
from fakes.grown import PATH, grow_one, growing
from fakes.toy import ToySandbox

from analysis.calls import CallInput
from analysis.facts import Outcome
from analysis.stated.fact import Argument, Compares, Fixed, Gives, StatedFact
from repair.records.grown import SaidBy
from repair.records.proposed_inputs import NoInputs, ProposedInputs
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.differences import FoundInputs, OpenFunction
from repair.survey.growing.function_growth import FunctionGrower, Grown
from repair.survey.growing.verified import NO_TWIN, RUNS
from transforms.mutants.made import Mutant

SHOP = textwrap.dedent(
    '''\
    def total(prices):
        """Add up prices.

        Returns 0 for an empty list.
        """
        if len(prices) == 0:
            return 0
        return sum(prices)


    def discount(price):
        """Raises ValueError if price is negative."""
        if price < 0:
            raise ValueError("a negative price")
        return price * 9 // 10


    def lonely(text):
        return text
    '''
).encode()
TESTS = textwrap.dedent(
    """\
    from shop import discount, total

    def test_total():
        assert total([1, 2]) == 3

    def test_discount():
        assert discount(10) == 9
    """
).encode()


def grown(name: str, shop: bytes = SHOP, tests: bytes = TESTS) -> Grown:
    return grow_one(name, shop, tests)


def test_a_sentence_of_the_project_stands_before_what_is_only_so_now():
    found = grown("total")
    first = found.cases[0]
    assert (first.call, str(first.claim), first.standing) == ("shop.total([])", "== 0", SaidBy.REQUIRED)
    assert first.said == 'shop.py:4 says "Returns 0 for an empty list."'
    assert first.kills
    assert found.function.killed == found.function.apart <= found.function.open


def test_what_nobody_says_is_pinned_and_each_test_kills_what_none_as_well_said_kills():
    found = grown("discount")
    standings = {str(case.claim): case.standing for case in found.cases}
    assert standings.pop("raises ValueError") is SaidBy.REQUIRED
    assert set(standings.values()) == {SaidBy.PINNED}
    assert "raises ValueError that says 'a negative price'" in standings, "its words are asked for as well"
    for case in found.cases:
        as_well_said = [
            other for other in found.cases if case.standing in (SaidBy.PINNED, other.standing) and other is not case
        ]
        others = {kill for other in as_well_said for kill in other.kills}
        assert set(case.kills) - others, case.source


def test_a_well_tested_function_gets_no_test():
    tests = TESTS + b"\ndef test_more():\n    assert [total(p) for p in ([], [0], [5], [1, 2, 3])] == [0, 0, 5, 6]\n"
    found = grown("total", tests=tests)
    assert found.cases == ()
    assert found.function.tests == ()


def test_a_function_that_nobody_calls_is_told_where_it_cannot_be_called():
    assert "nobody calls it" in grown("lonely").function.not_checked


def test_no_slip_is_pinned():
    shop = b"def first(values):\n    return values[0] + 1\n"
    tests = b"from shop import first\n\ndef test_first():\n    assert first([1]) > 0\n"
    found = grown("first", shop, tests)
    assert found.cases
    assert not [case for case in found.cases if "raises" in str(case.claim)]


def test_what_was_grown_holds_and_its_twins_do_not():
    grower, verifier = growing(SHOP, TESTS)
    cases = [c for name in ("total", "discount") for c in grown(name).cases]
    verified = verifier.verify(PATH, cases)
    assert verified.dropped == ()
    assert verified.runs == 1 + len(RUNS)
    assert sum(len(held) for _, held in verified.printed.tests) == len(cases)
    ast.parse(verified.printed.text)
    run = grower.sandbox.run((), ((PATH, verified.printed.text.encode()),))
    assert {result.outcome for result in run.results} == {Outcome.PASSED}


def test_a_test_that_fails_is_dropped_and_the_others_stay():
    _, verifier = growing(SHOP, TESTS)
    good, *_ = grown("total").cases
    wrong = next(iter(grown("discount").cases))
    wrong = type(wrong)(**{f: getattr(wrong, f) for f in wrong.__slots__} | {"call": "shop.total([7])"})
    verified = verifier.verify(PATH, [good, wrong])
    assert [case for case, _ in verified.dropped] == [wrong]
    assert [case for _, held in verified.printed.tests for case in held] == [good]


def test_a_claim_that_holds_of_everything_has_no_twin():
    shop = b"class Any:\n    def __eq__(self, other):\n        return True\n\n\ndef total(prices):\n    return Any()\n"
    _, verifier = growing(shop, TESTS.replace(b"discount, ", b"").partition(b"def test_discount")[0])
    [case, *_] = grown("total").cases
    verified = verifier.verify(PATH, [case])
    assert verified.printed is None
    assert [why for _, why in verified.dropped] == [NO_TWIN]


@pytest.mark.parametrize("name", ["total", "discount"])
def test_the_same_seed_grows_the_same(name):
    assert [case.source for case in grown(name).cases] == [case.source for case in grown(name).cases]


def test_pinned_tests_notice_mutants_and_vouch_for_nothing():
    first = grow_one("total", SHOP, TESTS)
    assert first.cases
    pinned = TESTS + b'\ndef test_pinned():\n    """Pinned: so it behaves now."""\n    assert total([]) == 0\n'
    grower, _ = growing(SHOP, pinned)
    vouched = next(each for each in grower.seen.functions if each.function.qualname == "total")
    assert [test.rpartition("::")[2] for test in vouched.tests] == ["test_total"]
    assert [test.rpartition("::")[2] for test in vouched.others] == ["test_pinned"]
    again = grower.grow(vouched, time.monotonic() + 60)
    assert again.function.open < first.function.open
    assert "shop.total([])" not in {case.call for case in again.cases}


BROKEN = b'''def share(price, people):
    """Returns None if people is 0."""
    if people < 0:
        return None
    return price // people
'''
BROKEN_TESTS = b"""from shop import share

def test_share():
    assert share(10, 5) == 2
    assert share(9, -1) is None
    assert share(4, 1) == 4
"""


def test_what_a_sentence_denies_is_not_pinned():
    """The program divides by zero where its docstring says None: that is a finding, and never a test."""
    found = grow_one("share", BROKEN, BROKEN_TESTS)
    assert any("raises ZeroDivisionError" in question for question in found.function.questions)
    assert not [case for case in found.cases if case.call.endswith(", 0)")]
    assert not [case for case in found.cases if "raises" in str(case.claim)]


WOVEN = b"""
def woven(text):
    if text[::2] == "abc" and text[1::2] == "xyz":
        return 31
    return 0
"""
WOVEN_TESTS = b"from shop import woven\n\ndef test_woven():\n    assert woven('q') == 0\n"


def test_calls_that_a_model_proposes_are_tried_as_others_are():
    grower, _ = growing(WOVEN, WOVEN_TESTS)
    asked = []

    class Model(NoInputs):
        def propose(self, function, sources, seconds_left):
            asked.append((function.path, function.qualname, seconds_left() > 0))
            return ProposedInputs((CallInput("('axbycz',)", "{}"),), (), "")

    [vouched] = grower.seen.functions
    with_model = replace(grower, proposer=Model()).grow(vouched, time.monotonic() + 60)
    assert asked == [("shop.py", "woven", True)]
    assert with_model.function.proposed == 1
    assert "shop.woven('axbycz')" in [case.call for case in with_model.cases]
    assert {case.standing for case in with_model.cases} == {SaidBy.PINNED}
    without = grower.grow(vouched, time.monotonic() + 60)
    assert without.function.proposed == 0
    assert without.function.killed < with_model.function.killed


def test_no_model_is_asked_about_a_function_that_has_nothing_open():
    grower, _ = growing(WOVEN, WOVEN_TESTS + b"    assert woven('axbycz') == 31\n    assert woven('axbyc') == 0\n")

    class Model(NoInputs):
        def propose(self, function, sources, seconds_left):
            raise AssertionError

    [vouched] = grower.seen.functions
    found = replace(grower, proposer=Model()).grow(vouched, time.monotonic() + 60)
    assert found.function.open == 0


LABEL = b'''
def label(text, width=9, sign="-"):
    """Returns '-' if width is -1."""
    if width < 0:
        return sign
    return text[:3].upper()
'''
LABEL_TESTS = (
    b"from shop import label\n\ndef test_label():\n    assert label('abcdefgh', width=-2, sign='--') == '--'\n"
)


def opened_label() -> tuple[FunctionGrower, OpenFunction, Mutant]:
    """Who grows, the open function, and a mutant of it that takes two letters, or four, where it takes three."""
    grower, _ = growing(LABEL, LABEL_TESTS)
    opened = grower.open_function(grower.seen.functions[0], time.monotonic() + 60)
    assert not isinstance(opened, str)
    return grower, opened, next(each for each in opened.mutants if "3" in each.label)


def test_a_kept_test_loses_what_it_does_not_need():
    grower, opened, mutant = opened_label()
    claim = Claim(ClaimKind.EQUALS, "'ABC'")
    long = CallCase("label", "shop.label('abcdefgh', width=12, sign='--')", claim)
    kept = [(long, frozenset({mutant}))]
    [(case, kills)] = grower.minimized(opened, FoundInputs(), kept, time.monotonic() + 60)
    assert (case.call, case.claim, kills) in {
        (call, claim, frozenset({mutant})) for call in ("shop.label('abc')", "shop.label('abcd')")
    }
    assert grower.minimized(opened, FoundInputs(), [(case, kills)], time.monotonic() + 60) == [(case, kills)]


@pytest.mark.parametrize(
    "more",
    [
        {"standing": SaidBy.REQUIRED, "said": "a sentence"},
        {"standing": SaidBy.ASKED, "said": "a person"},
        {"said": "x"},
    ],
)
def test_what_somebody_says_of_a_call_is_not_said_of_a_smaller_one(more):
    grower, opened, mutant = opened_label()
    case = CallCase("label", "shop.label('abcdefgh', width=12)", Claim(ClaimKind.EQUALS, "'ABC'"), **more)
    kept = [(case, frozenset({mutant}))]
    assert grower.minimized(opened, FoundInputs(), kept, time.monotonic() + 60) == kept


def test_nothing_is_made_smaller_when_the_time_is_over():
    grower, opened, mutant = opened_label()
    kept = [(CallCase("label", "shop.label('abcdefgh')", Claim(ClaimKind.EQUALS, "'ABC'")), frozenset({mutant}))]
    assert grower.minimized(opened, FoundInputs(), kept, time.monotonic()) == kept


FEE = b"def fee(days):\n    return 1 if days == 0 else days * 3\n"
FEE_TEST = b"from shop import fee\n\ndef test_one():\n    assert (fee(2), fee(3)) == (6, 9)\n"


def test_what_a_document_denies_is_a_finding_and_never_pinned(monkeypatch):
    monkeypatch.setattr(ToySandbox, "call_apart", Caller(FEE.decode()).call_apart)
    pinned = grow_one("fee", FEE, FEE_TEST)
    assert "shop.fee(0)" in [case.call for case in pinned.cases if case.standing is SaidBy.PINNED]
    stated = StatedFact(
        Compares(Argument("days"), "==", Fixed("0")), Gives("0"), "`fee(0)` gives `0`", 3, path="req.md"
    )
    grown = grow_one("fee", FEE, FEE_TEST, {"shop.py:fee": (stated,)})
    [one] = grown.broken
    assert (one.finding.call, one.finding.said) == ("fee(0)", 'req.md:3 says "fee(0) gives 0"')
    assert "shop.fee(0)" not in [case.call for case in grown.cases]


def test_an_example_is_held_against_a_function_without_open_mutants(monkeypatch):
    shop = b'def three():\n    """Give a number.\n\n    >>> three()\n    4\n    """\n    return 3\n'
    monkeypatch.setattr(ToySandbox, "call_apart", Caller(shop.decode()).call_apart)
    grown = grow_one("three", shop, b"from shop import three\n\ndef test_one():\n    assert three() == 3\n")
    assert grown.function.open == 0
    assert [one.finding.call for one in grown.broken] == ["three()"]


def test_a_method_that_no_test_calls_says_so():
    shop = b"class Till:\n    def put(self, n):\n        return n\n\n    def take(self, n):\n        return -n\n"
    tests = b"from shop import Till\n\ndef test_one():\n    assert Till().put(3) == 3\n"
    said = grow_one("Till.take", shop, tests).function.not_checked
    assert said == "no test calls it, and of methods only those are grown that tests call"
