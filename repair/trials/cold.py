"""Trials without a warm server: one cold run each. Slow, and right wherever warm trials are not sound."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from analysis.calls import CallInput, Calls, Comparison, Tried
from analysis.courses import Followed, FollowQuery
from analysis.facts import Files, FunctionId, InvalidRun, Limits, Outcome, RunFault, TestId, TestRun
from analysis.functions import functions_of, span_of
from analysis.line_counts import WorkReport
from analysis.synthesis import Forced, Query, Settled, WantedValue
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.records.ports import Sandbox

NEEDS_IMPORT = "needs a fresh import"
NEEDS_COLD = "needs a cold run"
"""What a server says of a trial that only another tier can answer for."""

FAULT_STATES = {RunFault.TIMEOUT: TrialState.TIMEOUT, RunFault.USAGE: TrialState.INVALID}


def place_trial(sources: Files, trial: Trial) -> Files:
    """The file that a trial makes: its function's text in the place of the old one."""
    path = trial.function.path
    source = dict(sources)[path]
    span = span_of(functions_of(path, source), trial.function)
    assert span is not None, "a trial names a function of its own source"
    return ((path, source[: span.start] + trial.text + source[span.end :]),)


@dataclass(frozen=True, slots=True)
class ColdSession:
    """Conforms to ``TrialServer`` with a fresh process and copy for each trial.

    ``files`` lie over the project in each run; ``sources`` have them in place.
    """

    sandbox: Sandbox
    tests: tuple[TestId, ...]
    sources: Files
    limits: Limits
    jobs: int
    files: Files = ()

    def hindrance(self, function: FunctionId) -> str:
        """Nothing ever."""
        return ""

    def find_unfit_tests(self, function: FunctionId) -> tuple[TestId, ...]:
        """None: a cold run answers for every test."""
        return ()

    def trials(self, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
        """Outcomes as they come, ``jobs`` at a time."""
        waiting: set[Future[TrialOutcome]] = set()
        with ThreadPoolExecutor(self.jobs) as pool:
            for trial in trials:
                waiting.add(pool.submit(self._run_one, trial))
                while len(waiting) >= self.jobs:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            yield from (future.result() for future in wait(waiting).done)

    def _run_one(self, trial: Trial) -> TrialOutcome:
        files = tuple(sorted({**dict(self.files), **dict(place_trial(self.sources, trial))}.items()))
        run = self.sandbox.run(self.tests, files, limits=self.limits)
        return cold_outcome(trial, run, self.tests)

    def questions_about(self, function: FunctionId) -> NoAnswers:
        """Nobody answers: each trial has a process of its own."""
        return NoAnswers("the tests cannot be served warm")

    def digest_leftovers(self) -> str:
        """Nobody can tell: each trial has a copy of its own."""
        return ""

    def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, slots=True)
class NoAnswers:
    """Conforms to ``ProgramQuestions`` where no server can answer: each answer is empty, and says the ``reason``."""

    reason: str

    def record(self, function: FunctionId, most: int, text: bytes = b"") -> Calls:
        """No calls."""
        return Calls()

    def compare(
        self,
        mine: Trial,
        rivals: Sequence[Trial],
        inputs: Sequence[CallInput],
        old: Trial,
        changed_lines: Sequence[int],
        *,
        looser: bool = False,
        against_old: bool = True,
        ends: bool = False,
        asked: Sequence[TestId] = (),
    ) -> Comparison:
        """No inputs, with the reason as a failure."""
        return Comparison(Tried(failures=(f"calls were not compared: {self.reason}",)))

    def work(self, mine: Trial, old: Trial, effort: int = 1) -> WorkReport:
        """No lines, with the reason as a failure."""
        return WorkReport(failures=(f"no work was counted: {self.reason}",))

    def force(self, ask: Query) -> Callable[[], Forced]:
        """No values."""
        return lambda: Forced(said=self.reason)

    def settle(self, ask: Query, wanted: Sequence[WantedValue], *, record: bool) -> Callable[[], Settled]:
        """No expressions."""
        return lambda: Settled(said=self.reason)

    def follow(self, ask: FollowQuery) -> Followed:
        """No courses."""
        return Followed(said=self.reason)


def cold_outcome(trial: Trial, run: TestRun | InvalidRun, tests: Sequence[TestId]) -> TrialOutcome:
    """What a cold run says about a trial: it passed when each of the tests did. One that did not run failed nothing."""
    if isinstance(run, InvalidRun):
        state = FAULT_STATES.get(run.fault, TrialState.CRASHED)
        return TrialOutcome(trial.digest, state, run.running, run.detail, "cold")
    for test in tests:
        outcome = run.outcome(test)
        if outcome is not Outcome.PASSED:
            ran = None if outcome is Outcome.MISSING else test
            return TrialOutcome(trial.digest, TrialState.FAILED, ran, outcome.value, "cold")
    return TrialOutcome(trial.digest, TrialState.PASSED, tier="cold")


def needs_other_tier(detail: str) -> bool:
    """Whether a server's words send a trial to another tier: ``the warm server is gone: needs a cold run``."""
    return NEEDS_IMPORT in detail or NEEDS_COLD in detail
