"""How long a test may take where nobody waits for thousands of runs."""

from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import AFTER, BEFORE, FAILING, PASSING, baseline_of, submission_of

from analysis.facts import Limits, Outcome
from repair.gates.controls import Controls
from repair.gates.fixes import Fixes
from repair.gates.regressions import Regressions
from repair.gates.stability import Stability
from repair.observe.patched import PatchedRun
from repair.records.task import SLOWER_SUITE_TIMES, SLOWER_TIMES

USUAL = Limits(wall_seconds=60.0, test_seconds=5.0)


def seen(slowest, outcome=Outcome.PASSED):
    baseline = baseline_of(BEFORE)
    slow = (replace(r, seconds=slowest, outcome=outcome) if r.test == PASSING else r for r in baseline.outcomes)
    return replace(baseline, outcomes=tuple(slow))


@pytest.mark.parametrize(
    ("baseline", "seconds"),
    [
        (seen(0.1), 5.0),
        (seen(2.0), 2.0 * SLOWER_TIMES),
        (seen(20.0), 60.0),
        (seen(20.0, Outcome.HANG), 5.0),
        (replace(seen(2.0), outcomes=()), 5.0),
    ],
)
def test_what_is_slow_by_itself_has_many_times_that_and_never_more_than_the_run(baseline, seconds):
    assert baseline.relax_limits(USUAL) == replace(USUAL, test_seconds=seconds)


def test_a_suite_that_took_nearly_all_the_time_of_a_run_has_more_when_it_is_judged():
    assert replace(seen(0.1), suite_seconds=50.0).relax_limits(USUAL).wall_seconds == 50.0 * SLOWER_SUITE_TIMES
    assert replace(seen(0.1), suite_seconds=5.0).relax_limits(USUAL).wall_seconds == USUAL.wall_seconds


@pytest.mark.parametrize(
    "ask",
    [
        lambda sandbox, asked: Fixes(sandbox, USUAL).judge(asked),
        lambda sandbox, asked: Regressions(sandbox, USUAL).judge(asked),
        lambda sandbox, asked: Controls(sandbox, USUAL).judge(asked),
        lambda sandbox, asked: Stability(sandbox, USUAL, 0).judge(asked),
        lambda sandbox, asked: PatchedRun(sandbox, USUAL).of(asked),
    ],
)
def test_gates_that_run_tests_cold_give_a_slow_test_its_time(ask):
    given = []

    class Timed(FakeSandbox):
        def run(self, tests, files=(), *, limits=None, **more):
            given.append(limits.test_seconds)
            return super().run(tests, files, limits=limits, **more)

    ask(Timed(lambda *_: run_of(AFTER)), submission_of(baseline=seen(2.0), vouching=(FAILING,)))
    assert given
    assert set(given) == {2.0 * SLOWER_TIMES}
