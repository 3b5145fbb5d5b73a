"""Events of a report to records: strict about types and sizes, silent about nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from analysis.facts import (
    BROKEN,
    CollectionError,
    Frame,
    Local,
    Outcome,
    Phase,
    Point,
    RecordedValue,
    SeenError,
    Sighting,
    TestId,
    TestResult,
)
from analysis.lines import Lines, LineSets, MalformedLines

_MOST_TEXT = 8000
_MOST_NUMBER = 1e12
_MOST_SIGHTINGS = 200
_MOST_VALUES = 20
_MOST_LINE = 1_000_000
_MOST_ENDS = 8_000_000
_SEVERITY = (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED, Outcome.XFAILED, Outcome.SKIPPED, Outcome.PASSED)


T = TypeVar("T")


class Malformed(Exception):
    """A line of the report is not what the probe writes."""


@dataclass(slots=True)
class ReportSeen:
    """What a report told, line by line. Grows while it is read; nothing keeps it afterwards."""

    python: str = ""
    no_pytest: str = ""
    usage: list[str] = field(default_factory=list)
    collected: list[str] | None = None
    collection_errors: list[CollectionError] = field(default_factory=list)
    reports: dict[str, list[TestResult]] = field(default_factory=dict)
    begun: list[str] = field(default_factory=list)
    done: dict[str, float] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)
    lines: dict[str, tuple[tuple[str, Lines], ...]] = field(default_factory=dict)
    collected_lines: dict[str, tuple[tuple[str, Lines], ...]] = field(default_factory=dict)
    arcs: dict[str, tuple[tuple[str, frozenset[tuple[int, int]]], ...]] = field(default_factory=dict)
    ends_of_arcs: int = 0
    line_sets: LineSets = field(default_factory=LineSets)
    sightings: list[Sighting] = field(default_factory=list)
    reruns: set[str] = field(default_factory=set)
    running: TestId | None = None
    broken_off: str = ""
    hang: TestResult | None = None
    """Where the running test is that was told to hang."""
    hung: dict[str, TestResult] = field(default_factory=dict)
    """Tests that were stopped at their bound of processor time, in a run that went on."""
    status: int | None = None
    nonce: str = ""
    leaked: list[str] = field(default_factory=list)
    after_end: int = 0

    def results(self) -> tuple[TestResult, ...]:
        """One result for each test that ended, in the order of running."""
        return tuple(self._result(test) for test in self.begun if test in self.done and self._complete(test))

    def _complete(self, test: str) -> bool:
        """Whether the test went through all of its phases: a call, or a set-up that did not let it come to one."""
        reports = self.reports.get(test, [])
        phases = {report.phase for report in reports}
        called = Phase.CALL in phases or any(r.outcome is not Outcome.PASSED for r in reports if r.phase is Phase.SETUP)
        return called and {Phase.SETUP, Phase.TEARDOWN} <= phases

    def contradiction(self, nonce: str) -> str:
        """Why the report as a whole is not to be believed; empty when it is."""
        collected = set(self.collected or ())
        results = self.results()
        bad = any(r.outcome in BROKEN for r in results) or bool(self.collection_errors)
        checks = (
            (self.nonce != nonce, "its end mark is not the one of this run"),
            (self.after_end > 0, "it goes on after its end mark"),
            (self.collected is None, "it does not say what was collected"),
            (len(self.begun) != len(set(self.begun)), "a test was run twice"),
            (set(self.begun) - collected, "it has results of tests that were not collected"),
            (collected - {r.test for r in results}, "collected tests were not run to their end"),
            (set(self.reports) - collected, "it has results of tests that were not collected"),
            (self.status == 0 and bad, "exit status 0, though not all passed"),
            (self.status == 1 and not bad, "exit status 1, though nothing failed"),
            (self.status == 5 and collected, "exit status 5 (no tests), though some were collected"),
            (self.status == 0 and not collected, "exit status 0, though nothing was collected"),
        )
        return next((doubt for holds, doubt in checks if holds), "")

    def _result(self, test: str) -> TestResult:
        """The worst of a test's reports. A test that passed only when run again did not pass, nor did one that hung."""
        if test in self.hung:
            return replace(self.hung[test], cpu_seconds=self.cpu[test])
        worst = min(self.reports[test], key=lambda report: _SEVERITY.index(report.outcome))
        if test in self.reruns and worst.outcome is Outcome.PASSED:
            worst = TestResult(worst.test, Outcome.FAILED, Phase.CALL, 0.0, (), "It did not pass at the first try")
        return replace(worst, seconds=self.done[test], cpu_seconds=self.cpu[test])


def read_events(lines: Iterable[bytes], points: Sequence[Point] = ()) -> ReportSeen:
    """All that the lines tell; values are taken for the points that were asked for alone. Raises ``Malformed``."""
    seen = ReportSeen()
    for line in lines:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError) as problem:
            raise Malformed("a line is no JSON") from problem
        if not isinstance(event, dict):
            raise Malformed("a line is no object")
        if seen.status is not None:
            seen.after_end += 1
        if event.get("event") == "values":
            _note_values(seen, event, points)
        else:
            _note(seen, event)
    return seen


def _note(seen: ReportSeen, event: dict[str, Any]) -> None:
    match event.get("event"):
        case "start":
            seen.python = _text(event, "python")
        case "no_pytest":
            seen.no_pytest = _text(event, "message") or "it cannot be imported"
        case "usage":
            seen.usage += _texts(event, "messages")
        case "collected":
            seen.collected = [_test_in({"test": test}) for test in _field(event, "tests", list)]
        case "collect_error":
            error = CollectionError(_text(event, "node"), _chain(event), _text(event, "message"))
            seen.collection_errors.append(error)
        case "collected_file":
            seen.collected_lines[_text(event, "node")] = _read_lines(seen, event)
        case "begin":
            seen.running = _test_in(event)
            seen.begun.append(seen.running)
        case "test":
            _note_report(seen, event)
        case "done":
            _note_done(seen, event)
        case "hang":
            raised = SeenError("Hang", ("Hang",), "still running when its time was up", _frames(event))
            seen.hang = TestResult(TestId(""), Outcome.HANG, Phase.CALL, 0.0, (raised,), raised.message)
        case "interrupted" | "internal":
            chain = _chain(event)
            first = f"{chain[0].type_name}: {chain[0].message[:300]}" if chain else "an interruption"
            seen.broken_off = seen.broken_off or first
        case "end":
            seen.status, seen.nonce = _field(event, "status", int), _text(event, "nonce")
            seen.leaked = _texts(event, "leaked")
        case other:
            raise Malformed(f"it has an unknown event {str(other)[:50]!r}")


def _note_report(seen: ReportSeen, event: dict[str, Any]) -> None:
    test = _test_in(event)
    try:
        phase = Phase(_text(event, "phase"))
    except ValueError as problem:
        raise Malformed("it has an unknown phase") from problem
    said = _text(event, "outcome")
    if said == "rerun":
        seen.reruns.add(test)
        return
    expected = _field(event, "wasxfail", bool)
    outcomes = {
        "failed": Outcome.FAILED if phase is Phase.CALL else Outcome.ERROR,
        "skipped": Outcome.XFAILED if expected else Outcome.SKIPPED,
        "passed": Outcome.XPASSED if expected else Outcome.PASSED,
    }
    if said not in outcomes:
        raise Malformed(f"it has an unknown outcome {said[:50]!r}")
    result = TestResult(test, outcomes[said], phase, _number(event, "seconds"), _chain(event), _text(event, "message"))
    seen.reports.setdefault(test, []).append(result)


def _note_done(seen: ReportSeen, event: dict[str, Any]) -> None:
    test = _test_in(event)
    if seen.running != test:
        raise Malformed("a test ended that was not running")
    seen.running = None
    seen.done[test] = _number(event, "seconds")
    seen.cpu[test] = _number(event, "cpu") if "cpu" in event else 0.0
    if seen.hang is not None:
        seen.hung[test], seen.hang = replace(seen.hang, test=test, seconds=seen.done[test]), None
    if event.get("lines") is not None:
        seen.lines[test] = _read_lines(seen, event)
    if event.get("arcs") is not None:
        seen.arcs[test] = tuple(sorted(_read_arcs(seen, event), key=lambda each: each[0]))


def _read_arcs(seen: ReportSeen, event: dict[str, Any]) -> Iterator[tuple[str, frozenset[tuple[int, int]]]]:
    for path, ends in _field(event, "arcs", dict).items():
        sound = isinstance(ends, list) and len(ends) % 2 == 0
        if not sound or not all(type(end) is int and abs(end) <= _MOST_LINE for end in ends):
            raise Malformed("its arcs are misshapen")
        seen.ends_of_arcs += len(ends)
        if seen.ends_of_arcs > _MOST_ENDS:
            raise Malformed("it has more arcs than are read")
        yield path, frozenset(zip(ends[::2], ends[1::2], strict=True))


def _read_lines(seen: ReportSeen, event: dict[str, Any]) -> tuple[tuple[str, Lines], ...]:
    try:
        return seen.line_sets.lines_of_test(event.get("lines"))
    except MalformedLines as problem:
        raise Malformed(str(problem)) from problem


def _note_values(seen: ReportSeen, event: dict[str, Any], points: Sequence[Point]) -> None:
    test = _test_in(event)
    if seen.running != test:
        raise Malformed("it has values of a test that was not running")
    for entry in _field(event, "seen", list):
        match entry:
            case [int(index), list(values)] if (
                type(index) is int and index in range(len(points)) and len(values) <= _MOST_VALUES
            ):
                seen.sightings.append(Sighting(points[index], test, tuple(_value(value) for value in values)))
            case _:
                raise Malformed("a recorded value is misshapen, or was not asked for")
    if len(seen.sightings) > _MOST_SIGHTINGS * len(points):
        raise Malformed("it has more recorded values than were asked for")


def _value(entry: object) -> RecordedValue:
    match entry:
        case [str(name), str(kind), str(text), bool(plain)]:
            return RecordedValue(name[:_MOST_TEXT], kind[:_MOST_TEXT], text[:_MOST_TEXT], plain)
    raise Malformed("a recorded value is misshapen, or was not asked for")


def _chain(event: dict[str, Any]) -> tuple[SeenError, ...]:
    return tuple(
        SeenError(_text(r, "type"), tuple(_texts(r, "bases")), _text(r, "message"), _frames(r), _text(r, "link"))
        for r in _objects(event, "raised")
    )


def _frames(event: dict[str, Any]) -> tuple[Frame, ...]:
    return tuple(
        Frame(
            _text(f, "path"),
            _field(f, "in_project", bool),
            _field(f, "line", int),
            _maybe(f, "end_line"),
            _maybe(f, "column"),
            _maybe(f, "end_column"),
            _text(f, "qualname"),
            _text(f, "name"),
            _field(f, "first_line", int),
            _locals(f),
        )
        for f in _objects(event, "frames")
    )


def _locals(frame: dict[str, Any]) -> tuple[Local, ...]:
    found = []
    for entry in _field(frame, "locals", list):
        match entry:
            case [str(name), str(kind), (str() | None) as value]:
                found.append(Local(name[:_MOST_TEXT], kind[:_MOST_TEXT], value))
            case _:
                raise Malformed("a local variable is misshapen")
    return tuple(found)


def _field(event: dict[str, Any], name: str, kind: type[T]) -> T:
    """The value of that kind; a truth value is no number."""
    value = event.get(name)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Malformed(f"{name!r} is missing or of the wrong type")
    return value


def _text(event: dict[str, Any], name: str) -> str:
    return _field(event, name, str)[:_MOST_TEXT]


def _test_in(event: dict[str, Any]) -> TestId:
    """Whole, however long: two tests may differ in the last letter alone, and pytest must find them again."""
    return TestId(_field(event, "test", str))


def _number(event: dict[str, Any], name: str) -> float:
    value = _field(event, name, float if isinstance(event.get(name), float) else int)
    if not abs(value) < _MOST_NUMBER:
        raise Malformed(f"{name!r} is out of all bounds")
    return float(value)


def _maybe(event: dict[str, Any], name: str) -> int | None:
    return None if event.get(name) is None else _field(event, name, int)


def _texts(event: dict[str, Any], name: str) -> list[str]:
    return [_text({name: value}, name) for value in _field(event, name, list)]


def _objects(event: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [_field({name: value}, name, dict) for value in _field(event, name, list)]
