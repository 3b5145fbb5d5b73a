"""Error reports of a result."""

import json
from pathlib import Path

from repair.records.result import AnalysisView, CauseView, FailureView, ModelAttempt, Result, Status
from repair.store.error_reports import MOST_OF_TEXT, reports_of


def test_each_failure_has_its_causes_word_and_what_models_said_of_it():
    failures = (
        FailureView("a", "runtime_safety", "missing_key", "KeyError", "'x'", "f"),
        FailureView(
            "b", "logic", "", "AssertionError", "1 != 2", "", analysis=AnalysisView("it adds", "sum", file="m.py")
        ),
    )
    aside = (FailureView("c", "environment", "", "OSError", "no network", ""),)
    causes = (CauseView(1, ("a",), Status.CERTIFIED, "k.py", "f", 7), CauseView(2, ("b",), Status.UNREPAIRED, "l.py"))
    tries = [ModelAttempt("m.py", "g", ("b",), explanation=said, reasoning="r") for said in ("one", "two", "one", "")]
    result = Result(Status.UNREPAIRED, failures=failures, set_aside=aside, causes=causes, attempts=tuple(tries))
    first, second, third = reports_of("run", result)
    assert (first.number, first.outcome, first.cause, first.file, first.line) == (1, "certified", 1, "k.py", 7)
    assert (first.attempts, first.explanation) == (0, "")
    assert (second.outcome, second.file, second.root_cause, second.category) == ("unrepaired", "m.py", "it adds", "sum")
    assert (second.attempts, second.explanation, second.reasoning) == (4, "one\n\ntwo", "r")
    assert (third.number, third.outcome, third.cause) == (3, "environment", 0)


def test_long_texts_are_cut_and_say_so():
    failures = (FailureView("a", "logic", message="m" * 9999),)
    (report,) = reports_of("run", Result(Status.UNREPAIRED, failures=failures))
    assert len(report.message) < MOST_OF_TEXT + 20
    assert report.message.endswith("[cut]")


def test_a_run_of_a_real_library_has_its_reports():
    recorded = Path(__file__).parents[1] / "show" / "recorded"
    results = [Result.from_json(json.loads(path.read_text())) for path in sorted(recorded.glob("*.json"))]
    told = [reports_of("run", result) for result in results if result.failures]
    assert told
    assert all(report.test and report.exception for reports in told for report in reports)
