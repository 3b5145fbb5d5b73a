"""The details of a run: what its engine knew of suspects line by line, and of mutants."""

import json
from types import SimpleNamespace

import pytest

from analysis.facts import FunctionId, Suspect, TestId
from analysis.lines import Lines
from analysis.mutant_view import MutantView
from analysis.mutation_score import MutantState
from repair.records.outcome import RunOutcome
from repair.records.result import Status
from repair.records.run_details import PatchMutants, RunDetails, SuspectLine, SuspectSource
from repair.show.report.details import MOST_LINES, MOST_TESTS, details_of

SHOP = b"import os\n\n\ndef price(n):\n    if n > 10:\n        return 40\n    return 5 * n\n"
PRICE = FunctionId("shop.py", "price", 4)
FAILS, PASSES = TestId("t.py::fails"), TestId("t.py::passes")
LINES = ((FAILS, (("shop.py", Lines([5, 7])),)), (PASSES, (("shop.py", Lines([5, 6])),)))


def ending(*suspects):
    failure = SimpleNamespace(failure=SimpleNamespace(test=FAILS))
    return RunOutcome(Status.UNREPAIRED, diagnoses=(failure,), suspects=suspects)


def test_each_line_has_its_suspiciousness_and_its_tests():
    suspect = Suspect(PRICE, 0.9, (), ((5, 0.5), (7, 1.0)))
    (found,) = details_of(ending(suspect), LINES, (("shop.py", SHOP),), {PASSES}).suspects
    assert (found.file, found.function, found.line, found.left) == ("shop.py", "price", 4, 0)
    assert found.lines == (
        SuspectLine(4, "def price(n):"),
        SuspectLine(5, "    if n > 10:", 0.5, 1, 1, (FAILS, PASSES)),
        SuspectLine(6, "        return 40", 0.0, 0, 1, (PASSES,)),
        SuspectLine(7, "    return 5 * n", 1.0, 1, 0, (FAILS,)),
    )


def test_what_is_large_is_cut_and_said():
    body = b"def price(n):\n" + b"    n += 1\n" * 2 * MOST_LINES
    tests = tuple(TestId(f"t.py::{number}") for number in range(50))
    lines = tuple((test, (("shop.py", Lines([2, 3])),)) for test in tests)
    suspect = Suspect(FunctionId("shop.py", "price", 1), 0.9, ())
    (found,) = details_of(ending(suspect), lines, (("shop.py", body),), set(tests)).suspects
    assert (len(found.lines), found.left) == (MOST_LINES, MOST_LINES + 1)
    assert (found.lines[1].passing, len(found.lines[1].tests)) == (50, MOST_TESTS)


@pytest.mark.parametrize("sources", [(), (("shop.py", b"def other():\n    pass\n"),)])
def test_a_suspect_whose_text_is_not_there_is_left_out(sources):
    assert details_of(ending(Suspect(PRICE, 1.0, ())), LINES, sources, {PASSES}) == RunDetails()


def test_details_are_the_same_after_a_round_trip():
    mutant = MutantView(1, 2, 1, 3, "<", "<=", "op", "label", MutantState.TIMEOUT, "t.py::x")
    source = SuspectSource("a.py", "f", 1, (SuspectLine(1, "x", 0.5, 1, 2, ("t",)),))
    details = RunDetails((source,), (PatchMutants("d" * 64, (mutant,), 3, ("def f():",)),))
    assert RunDetails.from_json(json.loads(json.dumps(details.to_json()))) == details
    assert details.of_patch("d" * 64).mutants == (mutant,)
    assert details.of_patch("e" * 64) is None
    for values in ([], {"suspects": 3}, {"mutants": [{"patch": 1, "mutants": []}]}, {"schema": "other"}):
        with pytest.raises(ValueError, match="details"):
            RunDetails.from_json(values)
