"""What coverage and tracebacks each say about the functions of a project, before the two are combined."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from analysis.exception_kinds import Subclass
from analysis.facts import Diagnosis, FailureClass, FunctionId, LineMap, Outcome, SeenError, TestId
from analysis.frames import IsTest, has_type, short_name, telling_exception
from analysis.functions import FunctionSpan, owner_of_frame
from analysis.lines import Lines
from analysis.spectrum import Line, SpectrumCounts, bound_score, dstar, ochiai

_POWER, _STEEPNESS = 4, 2.0
"""The norm that joins the scores of lines, and how soon it comes near 1. Any power from 4 to 6 ranks alike."""

Index = Mapping[str, Sequence[FunctionSpan]]
"""The functions of each file."""

RAISES = "raises"
"""The word of a reason that a function raised what failed a test."""


@dataclass(frozen=True, slots=True)
class Spectrum:
    """How failing and passing tests run one function.

    ``score`` is that of all of its executed lines together, from 0 to 1, and ``top`` the highest of one line.
    ``counts`` are those of the function as a whole.
    """

    score: float
    top: float
    counts: SpectrumCounts
    lines: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """What tracebacks say of one function: a weight from 0 to 1, the reason, and the lines they stand on."""

    weight: float
    reason: str
    lines: tuple[tuple[int, float], ...]


def body_lines(span: FunctionSpan, siblings: Sequence[FunctionSpan]) -> frozenset[int]:
    """The lines that run when the function runs: nested functions keep theirs, but for their headers.

    The function's own header runs where it is defined, not where it is called.
    """
    header = span.def_line if span.end_line > span.def_line else span.def_line - 1
    own = set(range(header + 1, span.end_line + 1))
    for other in siblings:
        if other is not span and span.contains(other.function.first_line) and other.end_line <= span.end_line:
            own.difference_update(range(other.def_line + 1, other.end_line + 1))
    return frozenset(own)


def spectra(
    index: Index,
    counts: Mapping[Line, SpectrumCounts],
    line_map: LineMap,
    failing: Iterable[TestId],
    passing: Iterable[TestId],
    is_test: IsTest,
) -> dict[FunctionId, Spectrum]:
    """The spectrum of each function outside the tests that some failing test runs."""
    bodies = {
        span.function: body_lines(span, spans) for path, spans in index.items() if not is_test(path) for span in spans
    }
    runs = _runs(bodies, line_map, frozenset(failing), frozenset(passing))
    found = {}
    for function, body in bodies.items():
        lines = [(line, counts[function.path, line]) for line in sorted(body) if (function.path, line) in counts]
        if any(c.ef for _, c in lines):
            scored = tuple((line, (ochiai(c) + bound_score(dstar(c))) / 2) for line, c in lines)
            scores = [score for _, score in scored]
            found[function] = Spectrum(join_scores(scores), max(scores), runs[function], scored)
    return found


def join_scores(scores: Sequence[float]) -> float:
    """What the lines of one function say together, from 0 to 1: the highest counts most, and each more counts.

    A helper of one line is run wherever its caller's branch is, and has one place to be wrong; the caller has many.
    """
    return 1 - math.exp(-_STEEPNESS * sum(score**_POWER for score in scores) ** (1 / _POWER))


def _runs(
    bodies: Mapping[FunctionId, frozenset[int]],
    line_map: LineMap,
    failing: frozenset[TestId],
    passing: frozenset[TestId],
) -> dict[FunctionId, SpectrumCounts]:
    """Counts of whole functions: a test runs one when it executes any line of its body."""
    by_path: dict[str, list[tuple[FunctionId, Lines]]] = defaultdict(list)
    for function, numbers in bodies.items():
        by_path[function.path].append((function, Lines(numbers)))
    hits: dict[FunctionId, list[int]] = {function: [0, 0] for function in bodies}
    totals = [0, 0]
    for test, files in line_map:
        side = 0 if test in failing else 1 if test in passing else None
        if side is None:
            continue
        totals[side] += 1
        for path, lines in files:
            for function, body in by_path.get(path, ()):
                hits[function][side] += not body.isdisjoint(lines)
    return {f: SpectrumCounts(ef, ep, totals[0] - ef, totals[1] - ep) for f, (ef, ep) in hits.items()}


def traces(diagnoses: Sequence[Diagnosis], index: Index, is_test: IsTest) -> dict[FunctionId, Trace]:
    """What the tracebacks of all failures say of each function on them."""
    gathered: dict[FunctionId, list[Trace]] = defaultdict(list)
    for diagnosis in diagnoses:
        for function, trace in _traces_of_diagnosis(diagnosis, index, is_test).items():
            gathered[function].append(trace)
    joined = {}
    for function, found in gathered.items():
        # One crash says a lot by itself; that all failures agree says more.
        strongest = max(found, key=lambda t: t.weight)
        mean = sum(t.weight for t in found) / len(diagnoses)
        lines: dict[int, float] = {}
        for line, score in (entry for t in found for entry in t.lines):
            lines[line] = max(score, lines.get(line, 0.0))
        weight = 0.8 * strongest.weight + 0.2 * mean
        joined[function] = Trace(weight, strongest.reason, tuple(sorted(lines.items())))
    return joined


def _traces_of_diagnosis(diagnosis: Diagnosis, index: Index, is_test: IsTest) -> dict[FunctionId, Trace]:
    first = telling_exception(diagnosis.failure)
    if first is None:
        return {}
    found = _traces_of_link(first, _is_deliberate(diagnosis), index, is_test)
    for behind in diagnosis.failure.exceptions[1:]:
        for function, trace in _traces_of_link(behind, False, index, is_test).items():
            if behind is not first and function not in found:
                found[function] = Trace(0.6 * trace.weight, f"{trace.reason}, behind another exception", trace.lines)
    return found


def _is_deliberate(diagnosis: Diagnosis) -> bool:
    kinds = (Subclass.UNEXPECTED_RAISE, Subclass.ASSERTION, Subclass.WRONG_RAISE, Subclass.EXIT)
    if diagnosis.failure.outcome is Outcome.HANG:
        return True  # the loop that does not end may stand in the caller
    return diagnosis.failure_class is FailureClass.CONTRACT and diagnosis.subclass in kinds


def _traces_of_link(raised: SeenError, deliberate: bool, index: Index, is_test: IsTest) -> dict[FunctionId, Trace]:
    """Weights along one traceback: the raising function first, less for each call that passes it through.

    A deliberate ``raise`` may be right about its input, so its caller is as suspect as the function itself.
    """
    found: dict[FunctionId, Trace] = {}
    hangs, name = has_type(raised, "Hang"), short_name(raised)
    verbs = ("still running", "waiting for it") if hangs else (f"{RAISES} {name}", f"passes through {name}")
    frames = [f for f in raised.frames if f.in_project and not is_test(f.path)]
    for frame in reversed(frames):
        owner = owner_of_frame(index.get(frame.path, ()), frame)
        if owner is None:
            continue
        depth = len(found)
        lines: list[tuple[int, float]] = []
        if depth == 0:
            weight, score, verb = 0.9 if deliberate else 1.0, 1.0, verbs[0]
            # Where a loop without end was seen is chance: every other line of the function is nearly as suspect.
            body = range(owner.def_line + 1, owner.end_line + 1) if hangs else ()
            lines = [(line, 0.9) for line in body if line != frame.line]
        else:
            weight, score, verb = 0.85 if deliberate and depth == 1 else 0.7**depth, 0.8, verbs[1]
        lines.append((frame.line, score))
        found.setdefault(owner.function, Trace(weight, f"{verb} at line {frame.line}", tuple(lines)))
    return found
