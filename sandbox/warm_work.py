"""Asks a server how much work two programs do on the calls of tests, and reads what it says, which is untrusted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeGuard

from analysis.line_counts import LineCounts, LineCountsPair, WorkReport
from analysis.trials import Trial

CALLS, SERIES, LINES, SECONDS = 12, 10, 600_000, 6.0
"""Calls of tests, series of larger ones, counted lines, and seconds at most, for the usual effort."""

_CALL_SECONDS = 2.0
_SHARE = 3
_MOST_FAILURES = 20


def work_request(mine: Trial, old: Trial, effort: int, test_seconds: float) -> dict[str, object]:
    """What the server is told."""
    return {
        "mine": mine.text.decode("latin-1"),
        "old": old.text.decode("latin-1"),
        "most": CALLS * effort,
        "share": _SHARE * effort,
        "series": SERIES * effort,
        "most_lines": LINES * effort,
        "call_seconds": _CALL_SECONDS,
        "working_seconds": SECONDS * effort,
        "seconds": test_seconds + SECONDS * effort + 5.0,
    }


def report_of(state: str, ending: str, lines: Iterable[dict[str, Any]]) -> WorkReport:
    """What the lines of one fork say."""
    calls: list[LineCountsPair] = []
    series: dict[int, list[LineCountsPair]] = {}
    failures: dict[str, None] = {}
    for line in lines:
        weighed = _parse_pair(line)
        if weighed is not None:
            number = line.get("series")
            (series.setdefault(number, []) if isinstance(number, int) and number else calls).append(weighed)
        elif "failed" in line or "problem" in line or "invalid" in line:
            failures.setdefault(str(next(iter(line.values()))))
    if state != "done":
        failures.setdefault(f"counting ended early: {ending}")
    kept = tuple(failures)[:_MOST_FAILURES]
    return WorkReport(tuple(calls), tuple(tuple(row) for _, row in sorted(series.items())), kept)


def _parse_pair(line: dict[str, Any]) -> LineCountsPair | None:
    counts, ended, factor = line.get("work"), line.get("ended"), line.get("factor")
    if not (isinstance(factor, int) and _are(counts, int, 4) and _are(ended, bool, 2)):
        return None
    old, new = LineCounts(counts[0], counts[1], ended[0]), LineCounts(counts[2], counts[3], ended[1])
    place, test = str(line.get("place", "")), str(line.get("test", ""))
    return LineCountsPair(str(line.get("call")), old, new, line.get("agree") is True, place, factor, test)


def _are(values: Any, kind: type, count: int) -> TypeGuard[list[Any]]:
    return isinstance(values, list) and len(values) == count and all(type(value) is kind for value in values)
