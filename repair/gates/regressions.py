"""Pass-to-pass: each test of the suite gives what it gave before, by exact id, in a cold run on a fresh copy."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.diagnosis import diagnose, is_test_path
from analysis.facts import BROKEN, InvalidRun, Limits, Outcome, TestId, TestResult, TestRun
from analysis.failure import failure_of
from analysis.functions import FunctionSpan, functions_of, span_of
from repair.compare.examples import ExampleRun
from repair.observe.patched import differences, suite_selection
from repair.records.plan import NO_PATCH, covering_tests
from repair.records.ports import Sandbox, Submission
from repair.records.task import Baseline
from repair.records.verdict import Decision, Evidence, Measurement, Verdict
from repair.records.wording import count_noun

MOST_HANGING = 3
"""Failing tests that hang and are run with the patch; each may take all its time."""

MOST_UNSTEADY = 5
"""So many tests that newly fail may be run again; more are no accident."""

ALSO_MENDED = "also_mended"

LEAST_MENDED = 3
"""Vouching tests that have to be mended where no test passed before, to show more than one answer or two."""


class Regressions:
    """Accepts when no test of the whole suite is worse off, none is missing, and none appeared.

    - Tests that were flaky before count neither way.
    - Tests that failed before and are not ours to mend may pass, and may fail again. But one that runs the patched
      function and fails on is a doubt: it may be the same fault, mended for one test only.
    - Where no test passed before there was nothing to break. Then several vouching tests have to be mended, as an empty
      set of tests is no evidence. Examples in the docstring that hold count as such.
    - A suite that was cut short, and is not when it is run again, leaves the answer unknown.

    A few tests that newly fail may speak against themselves. Such a test does not fail in a second run of the suite,
    and by itself it passes, or fails without the patch too. Where one of them runs the patched function the answer is
    unknown; else they are listed.
    """

    name = "regressions"

    def __init__(self, sandbox: Sandbox, limits: Limits, documented: ExampleRun | None = None) -> None:
        self._documented = documented
        self._sandbox = sandbox
        self._limits = limits

    def judge(self, submission: Submission) -> Evidence:
        """Run the suite once, cold, and compare with the baseline id by id."""
        baseline = submission.baseline
        run = self._run_suite(submission)
        if isinstance(run, InvalidRun):
            return self._judge_cut_short(submission, run)
        worse = differences(baseline, run)
        numbers: tuple[Measurement, ...] = (
            ("before", len(baseline.outcomes)),
            ("worse", len(worse)),
            ("flaky", len(baseline.flaky)),
        )
        unsteady = self._find_unsteady(submission, run, len(worse))
        if worse and not unsteady:
            return Evidence(self.name, Decision.REJECT, worse[0], numbers, witness="; ".join(worse[:5]))
        for test in unsteady:
            if self._may_reach(test, submission):
                claim = f"{test} fails now and then: it is not steady"
                question = f"Does {test} hang on time or chance? A patch is no reason for it to fail now and then."
                return Evidence(self.name, Decision.UNKNOWN, claim, numbers, claim, question)
        if baseline.partial:
            ran = count_noun(len(baseline.outcomes), "test")
            claim = f"Only a part of the suite was run, {ran}: the whole of it does not end in time"
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, not_checked=("the rest of the suite",))
        kept, mended = len(baseline.passing), len({*baseline.failing} & {*submission.vouching})
        examples = len(self._documented.of(submission).tests) if self._documented and not kept else 0
        if not kept and mended + examples < LEAST_MENDED:
            claim = "No other test passed before, so nothing shows that nothing broke"
            question = "What must stay as it is? A test that passes already would settle it."
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, claim, question)
        left = self._find_unmended(submission, run) if baseline.failing else ""  # else it is not said to mend anything
        if left:
            claim = f"{left} runs this function too, failed before, and fails on"
            question = f"Has {left} another cause? Name it as well to have both mended."
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, claim, question)
        claim = f"{kept} passing tests still pass" if kept else _describe_all_new(mended, examples)
        also = sum(run.outcome(test) is Outcome.PASSED for test in _find_others_broken(baseline))
        claim += f"; {count_noun(also, 'other test')} that failed pass{'es' if also == 1 else ''} now" if also else ""
        numbers = (*numbers, (ALSO_MENDED, also))
        said = "fails now and then, and does not run the function"
        return Evidence(self.name, Decision.ACCEPT, claim, numbers, not_checked=tuple(f"{t}: {said}" for t in unsteady))

    def _judge_cut_short(self, submission: Submission, run: InvalidRun) -> Evidence:
        """What a suite that did not run to its end says: nothing for certain, where it does so in a second run."""
        again = self._run_suite(submission)
        claim = f"The suite does not run to its end: {run.detail}"
        if isinstance(again, InvalidRun) or differences(submission.baseline, again):
            return Evidence(self.name, Decision.REJECT, claim)
        claim = f"The suite ran to its end in one of two runs only: {run.detail}"
        question = "What ended the other run: the patch, a test that is not steady, or the machine?"
        return Evidence(self.name, Decision.UNKNOWN, claim, witness=claim, question=question)

    def _run_suite(self, submission: Submission) -> TestRun | InvalidRun:
        """The suite with the patch, cold."""
        limits = submission.baseline.relax_limits(self._limits)
        return self._sandbox.run(suite_selection(submission.baseline), submission.whole, limits=limits)

    def _find_unsteady(self, submission: Submission, run: TestRun, worse: int) -> tuple[TestId, ...]:
        """Passing tests that failed in this run or in another one, where they are few and it is no doing of the patch.

        Each passes alone and in one of two runs of the suite, or fails alone without the patch, too. None where
        something else is ``worse`` as well.
        """
        broken = _find_newly_broken(submission.baseline, run)
        if not 0 < len(broken) <= MOST_UNSTEADY or worse > len(broken):
            return ()
        fail_anyway = self._find_failing_anyway(broken, submission)
        if fail_anyway is None:
            return ()
        again = self._run_suite(submission)
        if isinstance(again, InvalidRun):
            return ()
        other = _find_newly_broken(submission.baseline, again)
        new = tuple(test for test in other if test not in broken)
        twice = {*broken} & {*other} - fail_anyway
        if twice or len(other) < len(differences(submission.baseline, again)):
            return ()
        return (*broken, *new) if not new or self._find_failing_anyway(new, submission) is not None else ()

    def _find_failing_anyway(self, tests: Sequence[TestId], submission: Submission) -> frozenset[TestId] | None:
        """Those that fail alone, and without the patch, too; ``None`` where one fails with the patch only."""
        limits = submission.baseline.relax_limits(self._limits)
        run = self._sandbox.run(tests, submission.whole, limits=limits)
        if isinstance(run, InvalidRun):
            return None
        left = frozenset(test for test in tests if run.outcome(test) is not Outcome.PASSED)
        old = self._sandbox.run(sorted(left), (), limits=limits) if left else run
        return left if isinstance(old, TestRun) and all(old.outcome(test) in BROKEN for test in left) else None

    def _may_reach(self, test: TestId, submission: Submission) -> bool:
        """Whether a test runs the patched function, or more than that function is changed: a second file, say."""
        baseline, span = submission.baseline, _span_in(submission)
        alone = dict(submission.whole) == dict(submission.candidate.files)
        return not alone or span is None or bool(covering_tests(baseline.traced.line_map, [test], span))

    def _find_unmended(self, submission: Submission, run: TestRun) -> str:
        """A test that was not asked for, runs the function and fails as before; empty where there is none."""
        baseline, span = submission.baseline, _span_in(submission)
        others = [r for r in baseline.outcomes if r.outcome in BROKEN and r.test not in baseline.failing]
        if span is None or not others:
            return ""
        asked = [r for r in others if r.outcome is not Outcome.HANG and _is_mendable(r, submission)]
        running = covering_tests(baseline.traced.line_map, [r.test for r in asked], span)
        hanging = [r.test for r in others if r.outcome is Outcome.HANG and _hangs_in(r, span)]
        unsure = set(baseline.flaky) - set(baseline.aside)
        left = [test for test in running if test not in unsure and run.outcome(test) in BROKEN]
        return next(
            (str(test) for test in (*left, *hanging[:MOST_HANGING]) if self._still_fails(test, left, submission)), ""
        )

    def _still_fails(self, test: TestId, known: Sequence[TestId], submission: Submission) -> bool:
        """Whether the test still fails: it is ``known`` to, or does in a run of its own, for instance one that hung."""
        if test in known:
            return True
        run = self._sandbox.run([test], submission.whole, limits=submission.baseline.relax_limits(self._limits))
        return isinstance(run, InvalidRun) or run.outcome(test) is not Outcome.PASSED


def count_also_mended(verdict: Verdict) -> int:
    """How many tests that were not asked for failed before and pass with the patch, as far as the suite was run."""
    measured = [dict(e.measurements) for e in verdict.evidence if e.gate == Regressions.name]
    return int(measured[0].get(ALSO_MENDED, 0)) if measured else 0


def _find_others_broken(baseline: Baseline) -> list[TestId]:
    unsure = {*baseline.failing, *baseline.flaky}
    return [r.test for r in baseline.outcomes if r.outcome in BROKEN and r.test not in unsure]


def _span_in(submission: Submission) -> FunctionSpan | None:
    """Where the function stands in the unpatched program."""
    function, texts = submission.candidate.function, dict(submission.sources)
    return span_of(functions_of(function.path, texts[function.path]) if function.path in texts else (), function)


def _find_newly_broken(baseline: Baseline, run: TestRun) -> tuple[TestId, ...]:
    """Steady tests that passed before and fail in this run."""
    return tuple(test for test in baseline.passing if test not in baseline.flaky and run.outcome(test) in BROKEN)


def _describe_all_new(mended: int, examples: int) -> str:
    also = f", and {count_noun(examples, 'example')} of the docstring" + (" hold" if examples > 1 else " holds")
    return f"no test passed before; {mended} that failed pass now{also if examples else ''}"


def _is_mendable(result: TestResult, submission: Submission) -> bool:
    """Whether the failure is one that a patch could answer; no network, say, is none."""
    return diagnose(failure_of(result), submission.sources, is_test_path).failure_class not in NO_PATCH


def _hangs_in(result: TestResult, span: FunctionSpan) -> bool:
    """Whether the function is in the failure's traceback: line 7, where the function has lines 5 to 9."""
    frames = (frame for raised in result.exceptions for frame in raised.frames)
    return any(f.path == span.function.path and span.def_line <= f.line <= span.end_line for f in frames)
