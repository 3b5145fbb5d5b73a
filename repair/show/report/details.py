"""From the engine's records to the details of a run: the text of suspects line by line, and mutants."""

from __future__ import annotations

from collections.abc import Iterator, Set

from analysis.facts import Files, LineMap, Suspect, TestId
from analysis.functions import functions_of, span_of
from repair.records.outcome import Judged, RunOutcome
from repair.records.run_details import PatchMutants, RunDetails, SuspectLine, SuspectSource

MOST_SOURCES = 5
"""Suspects whose text is kept, the most suspicious first."""

MOST_LINES, MOST_COLUMNS = 200, 400
"""Lines of a suspect that are kept, and characters of a line."""

MOST_TESTS = 8
"""Tests that are named for a line."""


def details_of(ending: RunOutcome, line_map: LineMap, sources: Files, passing: Set[TestId]) -> RunDetails:
    """The details of a run whose tests ran these lines of these sources."""
    endings = [cause.ending for cause in ending.causes] or [ending]
    failing = {d.failure.test for each in (ending, *endings) for d in each.diagnoses}
    suspects = {s.function: s for each in endings for s in each.suspects[: max(2, MOST_SOURCES // len(endings))]}
    if not suspects:
        suspects = {s.function: s for s in ending.suspects}
    texts = dict(sources)
    shown = [
        _source(suspect, texts[suspect.function.path], line_map, frozenset(failing), passing)
        for suspect in list(suspects.values())[:MOST_SOURCES]
        if suspect.function.path in texts
    ]
    judged = [each for ending in endings for each in ending.judged]
    return RunDetails(tuple(each for each in shown if each is not None), tuple(_mutants(judged)))


def _mutants(judged: list[Judged]) -> Iterator[PatchMutants]:
    for each in judged:
        found = next((e.mutants for e in each.verdict.evidence if e.mutants), ())
        if found:
            candidate = each.submission.candidate
            lines = [line[:MOST_COLUMNS] for line in split_lines(candidate.text.decode(candidate.encoding, "replace"))]
            yield PatchMutants(candidate.digest, found, candidate.function.first_line, tuple(lines[:MOST_LINES]))


def split_lines(text: str) -> list[str]:
    """The lines of a source text as Python counts them."""
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _source(
    suspect: Suspect, text: bytes, line_map: LineMap, failing: Set[TestId], passing: Set[TestId]
) -> SuspectSource | None:
    where = suspect.function
    span = span_of(functions_of(where.path, text), where)
    if span is None:
        return None
    lines = split_lines(text[span.start : span.end].decode(span.encoding, "replace"))
    run: dict[int, list[TestId]] = {}
    for test, files in sorted(line_map, key=lambda each: each[0] not in failing):
        for path, ran in files:
            if path == where.path and (test in failing or test in passing):
                for number in range(where.first_line, where.first_line + min(len(lines), MOST_LINES)):
                    if number in ran:
                        run.setdefault(number, []).append(test)
    scores = dict(suspect.line_scores)
    shown = tuple(
        SuspectLine(
            number,
            line[:MOST_COLUMNS],
            round(scores.get(number, 0.0), 3),
            sum(test in failing for test in run.get(number, ())),
            sum(test not in failing for test in run.get(number, ())),
            tuple(run.get(number, ())[:MOST_TESTS]),
        )
        for number, line in enumerate(lines[:MOST_LINES], where.first_line)
    )
    return SuspectSource(where.path, where.qualname, where.first_line, shown, len(lines) - len(shown))
