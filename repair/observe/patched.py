"""The patched program run cold: by the suite, by the tests that vouch, with the lines that gates ask for, by old tests.

One run tells several gates, where the suite is quick: which tests pass, what else broke, and which lines they ran.

New tests may show what a change mends, not hide what it breaks: so the tests as they were run on the new program, too.
Of the whole suite it is told which tests that is, and which of them are worse off than in the baseline.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from threading import Lock

from analysis.errors import TargetError, UsageError
from analysis.facts import BROKEN, Digest, Files, InvalidRun, Limits, Outcome, TestId, TestRun
from repair.observe.complete_runs import complete_run
from repair.observe.uncollected import file_of
from repair.records.change import Change, tests_as_they_were
from repair.records.ports import Sandbox, Submission
from repair.records.task import Baseline
from repair.records.verdict import Decision, Evidence
from repair.records.wording import count_noun
from repair.trials.layered import LayeredSandbox, lay_over

_Asked = tuple[Digest, Files, tuple[TestId, ...]]


QUICK_SUITE_SECONDS = 10.0
"""A suite that takes no longer is run as a whole, where a part of it would do for one gate."""


def is_quick(baseline: Baseline) -> bool:
    """Whether the whole suite was run and took little time: 4 seconds, not 40."""
    return not baseline.partial and baseline.suite_seconds <= QUICK_SUITE_SECONDS


class PatchedRun:
    """Runs the patched program, cold, with the lines of its tests: one run for all gates where the suite is quick.

    Elsewhere these are the failing and the vouching tests. Kept for the latest submission; two threads may ask.
    """

    def __init__(self, sandbox: Sandbox, limits: Limits) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._lock = Lock()
        self._kept: dict[_Asked, TestRun | InvalidRun] = {}

    def suite(self, submission: Submission) -> TestRun | InvalidRun | None:
        """The whole suite; ``None`` where it is too slow to be run for several gates, or not all of it is run."""
        baseline = submission.baseline
        if not is_quick(baseline) or suite_selection(baseline):
            return None
        return submission.after or self._run(submission, (), "patched suite")

    def of(self, submission: Submission) -> TestRun | InvalidRun:
        """The failing and the vouching tests, perhaps among others."""
        tests = tuple(dict.fromkeys((*submission.baseline.failing, *submission.vouching)))
        suite = self.suite(submission)
        if isinstance(suite, TestRun) and all(suite.outcome(test) is not Outcome.MISSING for test in tests):
            return suite
        return self._run(submission, tests, "patched tests")

    def known(self, submission: Submission) -> TestRun | None:
        """The same, where it was run before: who could do with it, and needs it not, starts nothing."""
        wanted = {*submission.baseline.failing, *submission.vouching}
        own = submission.candidate.digest, submission.whole
        runs = [(tests, run) for (*asked, tests), run in self._kept.items() if tuple(asked) == own]
        for tests, run in ((), submission.after), *runs:
            if isinstance(run, TestRun) and wanted <= {*tests, *(result.test for result in run.results)}:
                return run
        return None

    def _run(self, submission: Submission, tests: tuple[TestId, ...], purpose: str) -> TestRun | InvalidRun:
        asked = (submission.candidate.digest, submission.whole, tests)
        with self._lock:
            if asked not in self._kept:
                for other in [each for each in self._kept if each[:2] != asked[:2]]:
                    del self._kept[other]
                sandbox, limits = self._sandbox.for_purpose(purpose), submission.baseline.relax_limits(self._limits)
                self._kept[asked] = sandbox.run(tests, submission.whole, limits=limits, trace=True)
            return self._kept[asked]


def lines_of(run: TestRun, test: TestId, path: str) -> Set[int]:
    """The lines of that file that the test ran; of a file of tests, those that collecting it ran."""
    known = (*run.line_map, *run.collected_lines)
    return next((dict(files).get(path, frozenset()) for each, files in known if each == test), frozenset())


GATE = "changed_tests"


def old_tests(sandbox: Sandbox, limits: Limits, change: Change, baseline: Baseline) -> Evidence | None:
    """Evidence from the old tests; ``None`` where the change leaves tests alone or there were none.

    The whole selection is run: a file that tests share may decide what tests in other files say.
    """
    old = tests_as_they_were(change)
    if not old:
        return None
    sandbox = sandbox.for_purpose("old tests")
    now = suite_with(sandbox, lay_over(change.after, old), limits)
    before = suite_with(sandbox, old, limits)
    if now is None or before is None:
        claim = "The tests as they were before the change could not be run"
        return Evidence(GATE, Decision.UNKNOWN, claim, not_checked=("the tests as they were",))
    passed = _passing_tests(before) - set(baseline.flaky)
    lost = passed - _passing_tests(now)
    if lost:
        claim = f"in its old form, {count_noun(len(lost), 'test')} passed before the change and no longer after it"
        return _doubt(claim, "lost", lost)
    # Those that fail in their new form, too, and are not ours to mend say nothing.
    left = {r.test for r in baseline.outcomes if r.outcome in BROKEN} - set(baseline.failing)
    broken = {r.test for r in before.results if r.outcome in BROKEN}
    unmended = broken - _passing_tests(now) - left - set(baseline.flaky)
    if unmended:
        claim = f"in its old form, {count_noun(len(unmended), 'failing test')} is not mended by the change"
        return _doubt(claim, "unmended", unmended)
    if not passed:
        return None
    claim = "the tests that passed before the change also pass after it in their old form"
    return Evidence(GATE, Decision.ACCEPT, claim, (("tests", len(passed)),))


def _doubt(claim: str, kind: str, tests: set[TestId]) -> Evidence:
    test = min(tests)
    return Evidence(GATE, Decision.UNKNOWN, claim, ((kind, len(tests)),), test, f"Was the old form of {test} wrong?")


def suite_with(
    sandbox: Sandbox, files: Files, limits: Limits, tests: Sequence[TestId] = (), *, trace: bool = False
) -> TestRun | None:
    """These tests, or the whole selection, with these files; ``None`` where that does not run to its end.

    Tests that hang are told apart.
    """
    try:
        return complete_run(LayeredSandbox(sandbox, files), tests, limits, trace)
    except (TargetError, UsageError):
        return None


def _passing_tests(run: TestRun) -> set[TestId]:
    return {r.test for r in run.results if r.outcome is Outcome.PASSED}


def suite_selection(baseline: Baseline) -> tuple[TestId, ...]:
    """What to run for the whole suite: everything, or each test that was observed.

    The latter is so where a test hangs that is not ours to mend, and where the suite is too long. It is so too where
    pytest does not collect by itself what was named.
    """
    left = _tests_left_out(baseline)
    each = left or baseline.partial or baseline.named_apart
    return tuple(r.test for r in baseline.outcomes if r.test not in left) if each else ()


def _tests_left_out(baseline: Baseline) -> set[TestId]:
    return {r.test for r in baseline.outcomes if r.outcome is Outcome.HANG} - set(baseline.failing)


@dataclass(frozen=True, slots=True)
class WorseOff:
    """A test, or a file of tests, that is worse off than in the baseline; ``said`` is the sentence on it."""

    test: TestId
    said: str


def differences(baseline: Baseline, run: TestRun) -> tuple[WorseOff, ...]:
    """Each test that is worse off than in the baseline, and each unknown one.

    Tests that nobody knew since their file could not be collected are no worse off. What passes by chance is not asked.
    """
    return tuple(_list_worse(baseline, run))


def _list_worse(baseline: Baseline, run: TestRun) -> Iterator[WorseOff]:
    known = {r.test: r.outcome for r in baseline.outcomes}
    skip = {*baseline.flaky, *baseline.by_chance, *_tests_left_out(baseline)}
    mended = set(baseline.failing)
    now = {r.test: r.outcome for r in run.results}
    uncollected = {e.node for e in baseline.traced.collection_errors}
    for error in run.collection_errors:
        if error.node not in uncollected:
            yield WorseOff(TestId(error.node), f"{error.node} can no longer be collected")
    for test, before in known.items():
        after = now[test] if test in now else run.outcome(test)
        if test in skip or after is Outcome.PASSED or (before, after) == (Outcome.XFAILED, Outcome.XPASSED):
            continue
        if test in mended:
            yield WorseOff(test, f"{test} is {after.value}")
        elif after is not before and not (before in BROKEN and after in BROKEN):
            yield WorseOff(test, f"{test} was {before.value} and is now {after.value}")
    for test in now:
        if test not in known and file_of(test) not in uncollected:
            yield WorseOff(test, f"{test} was not there before")
