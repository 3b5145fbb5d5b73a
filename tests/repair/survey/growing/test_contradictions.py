"""Calls on which a program breaks what its docstring says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from fakes.callers import Caller

from analysis.behaviour import Call, CallOrigin, Difference, Raised, Returned
from analysis.calls import CallInput, RecordedCall
from analysis.facts import InvalidRun, Limits, RunFault, TestId
from analysis.functions import functions_of
from analysis.stated.function import stated_of
from repair.records.functions import edit_scope
from repair.survey.growing.contradictions import find_contradictions
from repair.survey.growing.differences import FoundInputs, OpenFunction
from repair.survey.growing.oracle import CaseMaker
from transforms.mutants.made import Mutant

SHARE = '''def share(price, people):
    """Returns None if people is 0.

    >>> share(8, 2)
    5
    """
    return price // people
'''


class Silent:
    def call_apart(self, *_: object, **__: object) -> InvalidRun:
        return InvalidRun(RunFault.TIMEOUT, "late")


def broken(source: str, tested: Sequence[tuple[Any, ...]], inputs: Sequence[tuple[Any, ...]], caller: Any = None):
    text = source.encode()
    [function] = [each.function for each in functions_of("shop.py", text)]
    files = (("shop.py", text),)
    opened = OpenFunction(edit_scope(files, function), (), (), stated_of(function, text))
    calls = tuple(RecordedCall(TestId("t"), CallInput(repr(given), "{}"), True) for given in tested)
    found = FoundInputs(calls=calls, inputs=tuple(CallInput(repr(given), "{}") for given in inputs))
    maker = CaseMaker(function, files, opened.stated, opened.docstring, ())
    return find_contradictions(caller or Caller(source), opened, found, maker, Limits())


def test_the_plainest_call_of_each_sentence_is_told():
    by_fact, by_example = broken(SHARE, [(10, 5), (4, 1)], [(0, 0), (3, 0), (10, 0), (7, 7)])
    assert (by_fact.finding.call, by_fact.finding.does) == ("share(10, 0)", "raises ZeroDivisionError()")
    assert by_fact.finding.said == 'shop.py:2 says "Returns None if people is 0."'
    assert by_fact.finding.certain
    assert (by_fact.test.call, str(by_fact.test.claim)) == ("shop.share(10, 0)", "== None")
    assert (by_example.finding.call, by_example.finding.does) == ("share(8, 2)", "returns 4")
    assert by_example.finding.said == 'shop.py:4 says ">>> share(8, 2) 5"'
    assert str(by_example.test.claim) == "== 5"


def test_a_sentence_that_a_test_denies_is_not_held_against_the_program():
    found = broken(SHARE, [(10, 5), (9, 0)], [(0, 0), (3, 0)])
    assert [each.finding.call for each in found] == ["share(8, 2)"]


@pytest.mark.parametrize(
    "source",
    [
        SHARE.replace("price // people", "price // people if people else None").replace("    5\n", "    4\n"),
        "def share(price, people):\n    return price\n",
    ],
)
def test_nothing_is_found_where_nothing_is_wrong(source):
    assert broken(source, [(10, 5)], [(0, 0), (3, 0)]) == ()


def test_nothing_is_said_where_nothing_was_told():
    assert broken(SHARE, [(10, 5)], [(3, 0)], Silent()) == ()


CART = '''class Cart:
    def remove(self, count):
        """Take items out.

        Raises ValueError if count is negative. Returns None.
        """
        self.items -= count
        return self.items
'''


def of_method(*seen: tuple[str, Returned | Raised, CallOrigin]):
    text = CART.encode()
    [function] = [each.function for each in functions_of("shop.py", text)]
    files = (("shop.py", text),)
    opened = OpenFunction(edit_scope(files, function), (), (), stated_of(function, text))
    mutant = Mutant(text, "", "", 7)
    on = "on Cart(items=3)"
    calls = [(Call("remove", given, on, origin), does) for given, does, origin in seen]
    told = tuple((mutant, Difference(call, does, Returned("0"))) for call, does in calls)
    recorded = (RecordedCall(TestId("t"), CallInput("(1,)", "{}"), True),)
    maker = CaseMaker(function, files, opened.stated, opened.docstring, ())
    return find_contradictions(Silent(), opened, FoundInputs(told, recorded), maker, Limits())


MADE, GENERATED = CallOrigin.MADE, CallOrigin.GENERATED


def test_a_method_that_breaks_what_is_said_of_its_arguments():
    [one] = of_method(
        ("(-10,)", Returned("13"), GENERATED), ("(-1,)", Returned("4"), GENERATED), ("(1,)", Returned("2"), MADE)
    )
    assert one.finding.call == "remove(-1,) on Cart(items=3)"
    assert one.finding.said == 'shop.py:5 says "Raises ValueError if count is negative."'
    assert one.test is None


@pytest.mark.parametrize(
    "seen",
    [
        ("(-1,)", Returned("4"), MADE),
        ("(-1,)", Raised("ValueError"), GENERATED),
        ("(1,)", Returned("2"), GENERATED),
    ],
)
def test_nothing_is_said_of_a_method_that_keeps_to_it_or_whose_tests_deny_it(seen):
    assert of_method(seen) == ()
