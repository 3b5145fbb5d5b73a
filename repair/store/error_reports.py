"""Error reports: of each failure of a run what it is, what was tried against it, and how it ended.

They are made from the run's result alone, so that they can be made again at any time. Long texts are cut; the run has
all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from repair.records.result import AnalysisView, CauseView, FailureView, Result, Status

MOST_OF_TEXT = 2_000
"""Characters of one text that a report keeps."""

CUT = " … [cut]"

MOST_REPORTS = 200
"""Failures of one run that have a report: the first ones."""


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """One failure of one run.

    - ``number`` counts the failures of the run, from 1. ``failure_class`` is called ``class`` in JSON.
    - ``file``, ``function`` and ``line`` say where the fault is taken to be.
    - ``explanation`` and ``reasoning`` are those of models, a paragraph for each of the ``attempts`` that has one.
    - ``cause`` is the number of the cause that the failure belongs to, ``outcome`` the word that this cause ended with.
    """

    run: str
    number: int
    test: str
    exception: str
    message: str
    failure_class: str = field(metadata={"json": "class"})
    subclass: str
    file: str
    function: str
    line: int
    root_cause: str
    category: str
    explanation: str
    reasoning: str
    attempts: int
    cause: int
    outcome: str


def reports_of(run: str, result: Result) -> tuple[ErrorReport, ...]:
    """The reports of a run's failures, those last that were set aside."""
    told = (*result.failures, *result.set_aside)[:MOST_REPORTS]
    return tuple(_report(run, number, failure, result) for number, failure in enumerate(told, 1))


def _report(run: str, number: int, failure: FailureView, result: Result) -> ErrorReport:
    known = failure.analysis or AnalysisView("", "")
    cause = next((each for each in result.causes if failure.test in each.tests), None)
    tried = [each for each in result.attempts if failure.test in each.tests]
    return ErrorReport(
        run,
        number,
        failure.test,
        failure.exception,
        _cut(failure.message),
        failure.failure_class,
        failure.subclass,
        known.file or (cause.file if cause else ""),
        known.function or failure.function,
        known.line or (cause.line if cause else 0),
        _cut(known.root_cause),
        known.category,
        _join(each.explanation for each in tried),
        _join(each.reasoning for each in tried),
        len(tried),
        cause.number if cause else 0,
        str(_outcome(failure, cause, result)),
    )


def _outcome(failure: FailureView, cause: CauseView | None, result: Result) -> Status:
    """The word on the failure's cause; of what no patch can answer, its class is the word."""
    if failure.failure_class in (Status.ENVIRONMENT, Status.TEST_DEFECT):
        return Status(failure.failure_class)
    return cause.status if cause else result.status


def _join(texts: Iterable[str]) -> str:
    return _cut("\n\n".join(dict.fromkeys(filter(None, texts))))


def _cut(text: str) -> str:
    return text if len(text) <= MOST_OF_TEXT else text[:MOST_OF_TEXT] + CUT
