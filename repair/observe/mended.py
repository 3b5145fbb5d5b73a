"""The program as mended so far: what is known of the program before is carried over, and only what is new is run.

A patch was judged in cold runs of the whole suite, so what it does to tests that passed is known. Of the tests that
still fail those are run again that run the patched function. Where it mends others too, all of them are. What was seen
of lines speaks of the old text: it is moved to where these lines stand now.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from analysis.errors import UnparseableError
from analysis.facts import (
    BROKEN,
    Files,
    Frame,
    InvalidRun,
    Limits,
    LineMap,
    Outcome,
    SeenError,
    TestId,
    TestResult,
    TestRun,
)
from analysis.failure import failure_of, same_failure
from analysis.functions import functions_of, span_of
from repair.observe.baseline import SINCE_CHECK
from repair.observe.uncollected import file_of, find_hidden
from repair.records.functions import edit_scope
from repair.records.plan import covering_tests
from repair.records.ports import Sandbox
from repair.records.task import Baseline
from transforms.patch.apply import complete
from transforms.tree.candidate import Candidate

PURPOSE = "mended so far"
"""What these cold starts are counted as."""

QUICK_SECONDS = 5.0
"""Where the suite takes no longer, all failing tests are run again: some say what they say only behind others."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A patch in its program: the Python files before it, and the candidate; ``mended`` pass with it.

    It may break ``by_chance`` some that passed without it.
    """

    sources: Files
    candidate: Candidate
    mended: tuple[TestId, ...]
    by_chance: tuple[TestId, ...] = ()

    def is_run_by(self, tests: Collection[TestId], baseline: Baseline) -> tuple[TestId, ...]:
        """Those of the tests that run the function before it was patched, or of which nobody knows what they run."""
        function, sources = self.candidate.function, dict(self.sources)
        span = span_of(functions_of(function.path, sources[function.path]), function)
        known = {test for test, _ in baseline.traced.line_map}
        runs = set(covering_tests(baseline.traced.line_map, tuple(tests), span)) if span is not None else set(tests)
        return tuple(test for test in tests if test in runs or test not in known)


def lay_again(candidate: Candidate, sources: Files) -> Candidate | None:
    """The candidate on another program; ``None`` where its function is not there as the candidate found it."""
    try:
        scope = edit_scope(sources, candidate.function, candidate.before)
    except (UnparseableError, KeyError):
        return None
    if scope.text.rstrip() != candidate.before.rstrip():
        return None
    made = complete(scope, candidate.text, candidate.origin, candidate.explanation, candidate.imports)
    return made if isinstance(made, Candidate) else None


def observe_mended(sandbox: Sandbox, before: Baseline, laid: Laid, limits: Limits, *, mends_more: bool) -> Baseline:
    """The baseline of the patched program, which ``sandbox`` runs; ``mends_more`` says that other tests pass there too.

    Where a run of the failing tests gives no result, they are taken to fail as they did. They count as seen once at
    most, so that a gate runs them again.
    """
    left = tuple(test for test in before.failing if test not in laid.mended)
    carried = _carry_over(before, laid, left)
    quick = before.suite_seconds <= QUICK_SECONDS
    again = left if mends_more or quick else laid.is_run_by(left, before)
    files = tuple(test for test in laid.mended if file_of(test) == test)
    again = before.in_suite_order({*again, *files, *laid.by_chance})
    if not again:
        return carried
    limits = before.relax_limits(limits)
    with ThreadPoolExecutor(1) as beside:
        watched = beside.submit(sandbox.for_purpose(PURPOSE).run, again, limits=limits, trace=SINCE_CHECK)
        run = sandbox.for_purpose(PURPOSE).run(again, limits=limits, trace=True)
        since = watched.result()
    if isinstance(run, InvalidRun) or isinstance(since, InvalidRun):
        return replace(carried, runs=1)
    taken = _take_runs(_fail_again(_add_hidden(carried, run, files), laid.by_chance), run, since)
    told = (each.outcome(test) is not Outcome.MISSING for each in (run, since) for test in again)
    return taken if all(told) else replace(taken, runs=1)


def _add_hidden(baseline: Baseline, run: TestRun, files: Sequence[TestId]) -> Baseline:
    """The baseline with the tests that a file hid before it could be collected: what fails of them is to be mended."""
    new = tuple(find_hidden(run, files, {r.test for r in baseline.outcomes}))
    if not new:
        return baseline
    known = replace(baseline, outcomes=(*baseline.outcomes, *new))
    failing = {*baseline.failing, *(r.test for r in new if r.outcome in BROKEN)}
    return replace(known, failing=known.in_suite_order(failing))


def _fail_again(baseline: Baseline, by_chance: Sequence[TestId]) -> Baseline:
    """The baseline in which these fail, until their runs say otherwise."""
    passing = tuple(test for test in baseline.passing if test not in by_chance)
    return replace(baseline, failing=baseline.in_suite_order({*baseline.failing, *by_chance}), passing=passing)


def _carry_over(before: Baseline, laid: Laid, left: tuple[TestId, ...]) -> Baseline:
    """What was seen before, as it speaks of the patched program; the mended tests pass in it."""
    old = dict(laid.sources)
    shifts = {path: line_shift(old[path], text) for path, text in laid.candidate.files if path in old}
    mended = set(laid.mended)
    outcomes = tuple(
        TestResult(r.test, Outcome.PASSED, r.phase, r.seconds) if r.test in mended else shift_result(r, shifts)
        for r in before.outcomes
    )
    line_map = shift_map(before.traced.line_map, shifts)
    return replace(
        before,
        failing=left,
        passing=before.in_suite_order({*before.passing, *mended}),
        outcomes=outcomes,
        traced=replace(before.traced, results=outcomes, line_map=line_map),
        unsteady=tuple(test for test in before.unsteady if test in left),
        since_check=shift_map(before.since_check, shifts),
    )


def _take_runs(baseline: Baseline, run: TestRun, since: TestRun) -> Baseline:
    """The baseline with what these tests do now, in two runs."""
    now, again = ({r.test: r for r in each.results} for each in (run, since))
    both = [test for test in now if test in again]
    broken = {test for test in both if now[test].outcome in BROKEN and again[test].outcome in BROKEN}
    passed = {test for test in both if now[test].outcome is again[test].outcome is Outcome.PASSED}
    changing = {test for test in both if test not in broken | passed}
    unsteady = {t for t in broken if not same_failure(failure_of(now[t]), failure_of(again[t]))}
    outcomes = tuple(now.get(r.test, r) for r in baseline.outcomes)
    return replace(
        baseline,
        failing=tuple(test for test in baseline.failing if test in broken or test not in now),
        passing=baseline.in_suite_order({*baseline.passing, *passed}),
        flaky=tuple(sorted({*baseline.flaky, *changing})),
        outcomes=outcomes,
        traced=replace(baseline.traced, results=outcomes, line_map=_exchange(baseline.traced.line_map, run.line_map)),
        runs=min(baseline.runs, 2),
        unsteady=tuple(sorted({*(t for t in baseline.unsteady if t not in now), *unsteady})),
        since_check=_exchange(baseline.since_check, since.line_map),
    )


def _exchange(old: LineMap, new: LineMap) -> LineMap:
    """The lines of each test, the new ones where there are some."""
    return tuple({test: (test, files) for test, files in (*old, *new)}.values())


@dataclass(frozen=True, slots=True)
class LineShift:
    """The new numbers of a file's lines, from 1. Lines that were edited become all lines that stand in their place."""

    edits: tuple[tuple[int, int, int, int], ...]
    """Old lines from the first number up to the second, and the new ones in their place, from the third to the fourth.
    """

    def lines(self, old: Set[int]) -> Set[int]:
        """The new lines. What was added counts as run where the line before it was."""
        new = {self.line(line) for line in old if not self._is_edited(line)}
        for start, end, first, last in self.edits:
            replaced = old & {*range(start, end)} if start < end else old & {start - 1}
            if replaced:
                new.update(range(first, last))
        return frozenset(new)

    def line(self, old: int) -> int:
        """Where an old line stands; of one that was edited, the first in its place."""
        moved = 0
        for start, end, first, last in self.edits:
            if start <= old < end:
                return first
            if old >= end:
                moved = last - end
        return old + moved

    def _is_edited(self, line: int) -> bool:
        return any(start <= line < end for start, end, *_ in self.edits)


def line_shift(old: bytes, new: bytes) -> LineShift:
    """From the old text of a file to its new one."""
    matcher = difflib.SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    edits = (codes for tag, *codes in matcher.get_opcodes() if tag != "equal")
    return LineShift(tuple((i1 + 1, i2 + 1, j1 + 1, j2 + 1) for i1, i2, j1, j2 in edits))


Shifts = Mapping[str, LineShift]
"""By the paths of the edited files."""


def shift_map(line_map: LineMap, shifts: Shifts) -> LineMap:
    """The lines that tests ran, where they stand now."""
    return tuple(
        (test, tuple((path, shifts[path].lines(lines) if path in shifts else lines) for path, lines in files))
        for test, files in line_map
    )


def shift_result(result: TestResult, shifts: Shifts) -> TestResult:
    """What was said of a test, with tracebacks that speak of the new text."""
    return replace(result, exceptions=tuple(_shift_error(each, shifts) for each in result.exceptions))


def _shift_error(error: SeenError, shifts: Shifts) -> SeenError:
    return replace(error, frames=tuple(_shift_frame(frame, shifts) for frame in error.frames))


def _shift_frame(frame: Frame, shifts: Shifts) -> Frame:
    shift = shifts.get(frame.path)
    if shift is None:
        return frame
    end = shift.line(frame.end_line) if frame.end_line is not None else None
    return replace(frame, line=shift.line(frame.line), end_line=end, first_line=shift.line(frame.first_line))
