"""Pass-to-pass: each test of the suite gives what it gave before, by exact id, in a cold run on a fresh copy."""

from __future__ import annotations

from analysis.diagnosis import diagnose, is_test_path
from analysis.facts import BROKEN, InvalidRun, Limits, Outcome, TestId, TestResult, TestRun
from analysis.failure import failure_of
from analysis.functions import FunctionSpan, functions_of, span_of
from analysis.root_cause import UNPATCHABLE
from repair.compare.examples import ExampleRun
from repair.observe.other_causes import OtherCauses
from repair.observe.patched import PatchedRun, differences
from repair.observe.second_look import SuiteReruns
from repair.observe.uncollected import file_of, find_hidden
from repair.records.plan import covering_tests
from repair.records.ports import Sandbox, Submission
from repair.records.task import Baseline
from repair.records.verdict import Decision, Evidence, Measurement, Verdict
from repair.records.wording import count_noun

MOST_HANGING = 3
"""Failing tests that hang and are run with the patch; each may take all its time."""

ALSO_MENDED, UNMENDED, BROKEN_BY_CHANCE = "also_mended", "unmended", "broken_by_chance"

LEAST_MENDED = 3
"""Vouching tests that have to be mended where no test passed before, to show more than one answer or two."""


class Regressions:
    """Accepts when no test of the whole suite is worse off, none is missing, and none appeared.

    - Tests that were flaky before count neither way.
    - Tests that failed before and are not ours to mend may pass, and may fail again. But one that runs the patched
      function and fails on is a doubt: it may be the same fault, mended for one test only. Where it plainly has another
      cause it is listed and weighs nothing.
    - A test that passes by chance, most likely, and fails with the patch is a doubt, until it passes on top of it.
    - A test of a file that could not be collected before is new. One that fails is a doubt: the patch may be why.
    - Where no test passed before there was nothing to break. Then several vouching tests have to be mended, as an empty
      set of tests is no evidence. Examples in the docstring that hold count as such.
    - A suite that was cut short, and is not when it is run again, leaves the answer unknown.

    Tests that newly fail are run again with the patch and without it, among the whole suite in the same order. One that
    fails each time with the patch, and never without it, is a regression. One that fails without it too is listed. One
    that fails with it in some runs alone is a doubt. That a test does not run the patched function is said, and
    decides nothing: it may be broken by what another one left.
    """

    name = "regressions"

    def __init__(
        self, sandbox: Sandbox, limits: Limits, documented: ExampleRun | None = None, patched: PatchedRun | None = None
    ) -> None:
        self._patched = patched
        self._documented = documented
        self._sandbox = sandbox.for_purpose(self.name)
        self._limits = limits
        self._suite = SuiteReruns(self._sandbox, limits)

    def judge(self, submission: Submission) -> Evidence:
        """Run the suite once, cold, and compare with the baseline id by id; again where it is worse off."""
        baseline = submission.baseline
        run = (self._patched.suite(submission) if self._patched else None) or self._suite.run_patched(submission)
        if isinstance(run, InvalidRun):
            return self._judge_cut_short(submission, run)
        looked = self._suite.look_again(submission, run)
        numbers: tuple[Measurement, ...] = (
            ("before", len(baseline.outcomes)),
            ("worse", len(differences(baseline, run))),
            ("flaky", len(baseline.flaky)),
        )
        if looked.worse:
            witness = "; ".join(looked.worse[:5])
            return Evidence(self.name, Decision.REJECT, looked.worse[0], numbers, witness)
        aside = tuple(f"{tally}; {_describe_reach(tally.test, submission)}" for tally in looked.aside)
        chance = next((test for test in baseline.by_chance if run.outcome(test) is not Outcome.PASSED), "")
        if chance:
            claim = f"{chance} passes without this patch and fails with it: by another fault it may pass by chance"
            question = f"Does {chance} pass by chance? It is settled when it passes on top of this patch."
            numbers = (*numbers, (BROKEN_BY_CHANCE, chance))
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, claim, question, aside)
        for tally in looked.unsteady:
            claim = f"{tally}; {_describe_reach(tally.test, submission)}"
            question = f"Does {tally.test} hang on time, chance or order? Nothing shows yet that the patch is not why."
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, claim, question, aside)
        hidden = _find_hidden_failing(submission, run)
        if hidden:
            claim = f"{hidden}, which a file that could not be collected hid, fails with this patch"
            question = f"Has {hidden} another cause? Nothing shows yet that this patch is not why."
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, claim, question, aside)
        if baseline.partial:
            ran = count_noun(len(baseline.outcomes), "test")
            claim = f"Only a part of the suite was run, {ran}: the whole of it does not end in time"
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, not_checked=("the rest of the suite",))
        kept, mended = len(baseline.passing) - len(aside), len({*baseline.failing} & {*submission.vouching})
        examples = len(self._documented.of(submission).tests) if self._documented and not kept else 0
        if not kept and mended + examples < LEAST_MENDED:
            claim = "No other test passed before, so nothing shows that nothing broke"
            question = "What must stay as it is? A test that passes already would settle it."
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, claim, question)
        left, others = self._find_unmended(submission, run)
        aside = (*aside, *others)
        if left and baseline.failing:  # else the change is not said to mend anything
            claim = f"{left} runs this function too, failed before, and fails on"
            question = f"Has {left} another cause? It is settled when that test is mended as well."
            numbers = (*numbers, (UNMENDED, left))
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, claim, question, aside)
        claim = f"{kept} passing tests still pass" if kept else _describe_all_new(mended, examples)
        also = sum(run.outcome(test) is Outcome.PASSED for test in _find_others_broken(baseline))
        claim += f"; {count_noun(also, 'other test')} that failed pass{'es' if also == 1 else ''} now" if also else ""
        numbers = (*numbers, (ALSO_MENDED, also))
        return Evidence(self.name, Decision.ACCEPT, claim, numbers, not_checked=aside)

    def _judge_cut_short(self, submission: Submission, run: InvalidRun) -> Evidence:
        """What a suite that did not run to its end says: nothing for certain, where it does so in a second run.

        Nor is it certain where the suite does not run to its end without the patch either.
        """
        again = self._suite.run_patched(submission)
        claim = f"The suite does not run to its end: {run.detail}"
        if isinstance(again, InvalidRun):
            if isinstance(self._suite.run_old(submission), TestRun):
                return Evidence(self.name, Decision.REJECT, claim)
            claim += "; nor does it without the patch, in the same order"
        elif self._suite.look_again(submission, again).worse:
            return Evidence(self.name, Decision.REJECT, claim)
        else:
            claim = f"The suite ran to its end in one of two runs only: {run.detail}"
        question = "What ended that run: the patch, a test that is not steady, or the machine?"
        unseen = tuple((BROKEN_BY_CHANCE, test) for test in submission.baseline.by_chance[:1])
        return Evidence(self.name, Decision.UNKNOWN, claim, unseen, claim, question)

    def _find_unmended(self, submission: Submission, run: TestRun) -> tuple[str, tuple[str, ...]]:
        """A test that was not asked for, runs the function and fails on; empty where there is none.

        Behind it stand sentences on those that plainly have another cause.
        """
        baseline, span = submission.baseline, _span_in(submission)
        others = {r.test: r for r in baseline.outcomes if r.outcome in BROKEN and r.test not in baseline.failing}
        if span is None or not others:
            return "", ()
        asked = [r for r in others.values() if r.outcome is not Outcome.HANG and _is_mendable(r, submission)]
        running = covering_tests(baseline.traced.line_map, [r.test for r in asked], span)
        hanging = [r.test for r in others.values() if r.outcome is Outcome.HANG and _hangs_in(r, span)]
        unsure = set(baseline.flaky) - set(baseline.aside)
        now = {r.test: r for r in run.results if r.outcome in BROKEN}
        left = [test for test in running if test not in unsure and test in now]
        causes = OtherCauses(submission, left)
        apart: list[str] = []
        for test in left:
            why = causes.describe(others[test], now[test])
            if not why:
                return str(test), tuple(apart)
            apart.append(f"{test} fails {why}")
        unmended = (test for test in hanging[:MOST_HANGING] if self._still_fails(test, submission))
        return next(map(str, unmended), ""), tuple(apart)

    def _still_fails(self, test: TestId, submission: Submission) -> bool:
        """Whether a test that hung does not pass in a run of its own; it may be slow, so it has all its time."""
        limits = submission.baseline.relax_limits(self._limits)
        run = self._sandbox.run([test], submission.whole, limits=limits)
        return isinstance(run, InvalidRun) or run.outcome(test) is not Outcome.PASSED


def find_unmended_test(verdict: Verdict) -> str:
    """The test that was not asked for, runs the function and fails on, where there is a doubt for it; else empty."""
    measured = [dict(e.measurements) for e in verdict.evidence if e.gate == Regressions.name]
    return str(measured[0].get(UNMENDED, "")) if measured else ""


def find_broken_by_chance(verdict: Verdict) -> str:
    """A test that passes by chance, and that fails with the patch or was not seen to pass; empty where none does."""
    measured = [dict(e.measurements) for e in verdict.evidence if e.gate == Regressions.name]
    return str(measured[0].get(BROKEN_BY_CHANCE, "")) if measured else ""


def count_also_mended(verdict: Verdict) -> int:
    """How many tests that were not asked for failed before and pass with the patch, as far as the suite was run."""
    measured = [dict(e.measurements) for e in verdict.evidence if e.gate == Regressions.name]
    return int(measured[0].get(ALSO_MENDED, 0)) if measured else 0


def _find_others_broken(baseline: Baseline) -> list[TestId]:
    unsure = {*baseline.failing, *baseline.flaky}
    return [r.test for r in baseline.outcomes if r.outcome in BROKEN and r.test not in unsure]


def _find_hidden_failing(submission: Submission, run: TestRun) -> str:
    """A test that nobody knew, since its file could not be collected, and that fails now; empty where none does."""
    files = [test for test in submission.baseline.failing if file_of(test) == test]
    hidden = find_hidden(run, files, {r.test for r in submission.baseline.outcomes})
    return next((str(each.test) for each in hidden if each.outcome in BROKEN), "")


def _span_in(submission: Submission) -> FunctionSpan | None:
    """Where the function stands in the unpatched program."""
    function, texts = submission.candidate.function, dict(submission.sources)
    return span_of(functions_of(function.path, texts[function.path]) if function.path in texts else (), function)


def _describe_reach(test: TestId, submission: Submission) -> str:
    """Whether a test runs the patched function, as far as that is known: more may be changed, a second file, say."""
    baseline, span = submission.baseline, _span_in(submission)
    if dict(submission.whole) != dict(submission.candidate.files):
        return "more than this function is changed"
    runs = span is None or bool(covering_tests(baseline.traced.line_map, [test], span))
    return "it runs the function" if runs else "it does not run the function"


def _describe_all_new(mended: int, examples: int) -> str:
    also = f", and {count_noun(examples, 'example')} of the docstring" + (" hold" if examples > 1 else " holds")
    return f"no test passed before; {mended} that failed pass now{also if examples else ''}"


def _is_mendable(result: TestResult, submission: Submission) -> bool:
    """Whether the failure is one that a patch could answer; no network, say, is none."""
    return diagnose(failure_of(result), submission.sources, is_test_path).failure_class not in UNPATCHABLE


def _hangs_in(result: TestResult, span: FunctionSpan) -> bool:
    """Whether the function is in the failure's traceback: line 7, where the function has lines 5 to 9."""
    frames = (frame for raised in result.exceptions for frame in raised.frames)
    return any(f.path == span.function.path and span.def_line <= f.line <= span.end_line for f in frames)
