"""A diagnosed project with one failing test, as a search or an engine gets it."""

from __future__ import annotations

from typing import Any

from fakes.submission import baseline_of

from analysis.facts import (
    Diagnosis,
    Failure,
    FailureClass,
    Files,
    LineMap,
    Outcome,
    Phase,
    SeenError,
    Suspect,
    TestId,
)
from analysis.functions import find_function, functions_of
from repair.records.plan import Localized
from repair.records.task import Baseline

PATH = "shop.py"
SOURCE = b'''"""A shop."""

RATE = 2


def price(count):
    total = count + RATE
    return total


def label(text):
    return text.strip()
'''
TESTS = b"""from shop import label, price


def test_price():
    assert price(3) == 6


def test_label():
    assert label(" a ") == "a"


def test_nothing():
    assert price(2) == 4
"""
SOURCES: Files = (("shop.py", SOURCE), ("test_shop.py", TESTS))
FAILING = TestId("test_shop.py::test_price")
LABEL = TestId("test_shop.py::test_label")
KEPT = TestId("test_shop.py::test_nothing")
GOOD = SOURCE.replace(b"count + RATE", b"count * RATE")
LINES: LineMap = (
    (FAILING, (("shop.py", frozenset({7, 8})),)),
    (LABEL, (("shop.py", frozenset({12})),)),
    (KEPT, (("shop.py", frozenset({7, 8})),)),
)
OUTCOMES: dict[str, Outcome] = {FAILING: Outcome.FAILED, LABEL: Outcome.PASSED, KEPT: Outcome.PASSED}


def diagnosis_of(test: TestId = FAILING, failure_class: FailureClass = FailureClass.LOGIC) -> Diagnosis:
    """A wrong result."""
    raised = SeenError("AssertionError", ("AssertionError", "Exception"), "assert 5 == 6", ())
    failure = Failure(test, Phase.CALL, Outcome.FAILED, (raised,), "assert 5 == 6")
    return Diagnosis(failure, failure_class, "value", ())


def localized_of(*names: str, source: bytes = SOURCE, scores: tuple[float, ...] = (1.0, 0.5, 0.2)) -> Localized:
    """These functions as suspects, the first the most suspicious."""
    spans = functions_of(PATH, source)
    found = [find_function(spans, name) for name in names or ("price",)]
    suspects = tuple(
        Suspect(span.function, score, ("ran",)) for span, score in zip(found, scores, strict=False) if span is not None
    )
    return Localized((diagnosis_of(),), suspects, (), {PATH: spans})


def observed(outcomes: dict[str, Outcome] = OUTCOMES, line_map: LineMap = LINES, **changed: Any) -> Baseline:
    """One failing test, two passing ones, and the lines that each ran."""
    return baseline_of(outcomes, line_map=line_map, **changed)
