"""A sandbox with canned runs: what the engine decides can be tested without running anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from analysis.calls import CallInput, Calls, Comparison, PlainAnswer, RecordedCall
from analysis.courses import Followed, FollowQuery
from analysis.facts import (
    Files,
    FunctionId,
    InvalidRun,
    Limits,
    LineMap,
    Outcome,
    Phase,
    Point,
    Ran,
    Recording,
    RunFault,
    SeenError,
    TestId,
    TestResult,
    TestRun,
)
from analysis.line_counts import WorkReport
from analysis.synthesis import Forced, Query, Settled, WantedValue
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.records.ports import ProgramQuestions, TrialSession

Apart = Callable[[tuple[CallInput, ...], Files, bool], tuple[PlainAnswer | None, ...] | InvalidRun]
BROKEN = (Outcome.FAILED, Outcome.ERROR, Outcome.HANG)
Answer = TestRun | InvalidRun
Answers = Callable[[tuple[TestId, ...], Files, int | None], Answer]
Modules = Callable[[str, tuple[str, ...], Files], Ran | InvalidRun]
Sessions = Callable[[tuple[TestId, ...], Files], TrialSession | InvalidRun]


def run_of(outcomes: Mapping[str, Outcome], line_map: LineMap = (), message: str = "assert 1 == 2") -> TestRun:
    """A complete run with these outcomes."""
    raised = (SeenError("builtins.AssertionError", ("AssertionError",), message, ()),)
    results = tuple(
        TestResult(TestId(test), outcome, Phase.CALL, 0.01, raised if outcome in BROKEN else ())
        for test, outcome in outcomes.items()
    )
    status = int(any(outcome in BROKEN for outcome in outcomes.values()))
    return TestRun(results, (), status, 0.1, line_map)


def hang_of(test: str, collected: Sequence[str]) -> InvalidRun:
    """A run that was ended while the test still ran."""
    running = TestId(test)
    return InvalidRun(
        RunFault.TIMEOUT, "time is up", running=running, collected=tuple(TestId(each) for each in collected)
    )


NOTHING_COMPARED = Comparison()
Passes = Callable[[Trial], bool | TrialState | TrialOutcome]
Compares = Callable[[Trial, Sequence[Trial]], Comparison]


class FakeSession:
    """A warm session that answers from tables: texts that pass, and a comparison.

    ``passes`` may also say a state, or the whole outcome; a failure names ``failed`` as its test.
    """

    def follow(self, ask: FollowQuery) -> Followed:
        """No call was followed."""
        return Followed()

    def __init__(
        self,
        passes: Passes = lambda trial: False,
        comparison: Comparison | Compares = NOTHING_COMPARED,
        *,
        swaps: bool | Callable[[FunctionId], bool] = True,
        calls: tuple[RecordedCall, ...] = (),
        failed: str | None = "t.py::test_it",
        work: WorkReport | None = None,
    ) -> None:
        self._passes = passes
        self._comparison = comparison
        self._swaps = swaps
        self._calls = calls
        self._work = work or WorkReport()
        self._failed = TestId(failed) if failed else None
        self.closed = False
        self.files = "as they were"
        self.seen: list[Trial] = []
        self.inputs: Sequence[CallInput] = ()

    def hindrance(self, function: FunctionId) -> str:
        effective = self._swaps if isinstance(self._swaps, bool) else self._swaps(function)
        return "" if effective else "nobody notices: needs a fresh import"

    def find_unfit_tests(self, function: FunctionId) -> tuple[TestId, ...]:
        return ()

    def trials(self, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
        for trial in trials:
            self.seen.append(trial)
            yield self._outcome(trial, self._passes(trial))

    def _outcome(self, trial: Trial, said: bool | TrialState | TrialOutcome) -> TrialOutcome:
        if isinstance(said, TrialOutcome):
            return said
        state = said if isinstance(said, TrialState) else TrialState.PASSED if said else TrialState.FAILED
        return TrialOutcome(trial.digest, state, self._failed if state is TrialState.FAILED else None, tier="warm")

    def questions_about(self, function: FunctionId) -> ProgramQuestions:
        return self

    def record(self, function: FunctionId, most: int, text: bytes = b"") -> Calls:
        return Calls(self._calls)

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
        self.inputs = inputs
        return self._comparison if isinstance(self._comparison, Comparison) else self._comparison(mine, rivals)

    def force(self, ask: Query) -> Callable[[], Forced]:
        return Forced

    def settle(self, ask: Query, wanted: Sequence[WantedValue], *, record: bool) -> Callable[[], Settled]:
        return Settled

    def work(self, mine: Trial, old: Trial, effort: int = 1) -> WorkReport:
        return self._work

    def digest_leftovers(self) -> str:
        return self.files

    def close(self) -> None:
        self.closed = True


class FakeSandbox:
    """Runs nothing: asks ``answers`` what a run would have said, and ``session`` for a warm server.

    ``problem`` is what the target's compiler says; ``fresh`` answers where each trial is to import anew;
    ``module`` what a program of the target's environment says; ``apart`` answers where a function is called by itself.
    """

    def __init__(
        self,
        answers: Answers,
        sources: Files = (),
        session: TrialSession | InvalidRun | Sessions | None = None,
        problem: str = "",
        fresh: TrialSession | InvalidRun | Sessions | None = None,
        module: Modules | None = None,
        apart: Apart | None = None,
    ) -> None:
        self._answers = answers
        self._sources = sources
        self._session = session or InvalidRun(RunFault.USAGE, "no warm server here")
        self._fresh = fresh or InvalidRun(RunFault.USAGE, "nothing is imported anew here")
        self._problem = problem
        self._module = module or (lambda name, *_: InvalidRun(RunFault.EXITED, f"no module {name} here"))
        self._apart = apart
        self.apart_asked: list[tuple[tuple[CallInput, ...], Files, bool]] = []
        self.asked: list[tuple[tuple[TestId, ...], Files, int | None]] = []
        self.limits: list[Limits | None] = []

    def for_purpose(self, purpose: str) -> FakeSandbox:
        return self

    def run(
        self,
        tests: Sequence[TestId],
        files: Files = (),
        *,
        limits: Limits | None = None,
        trace: bool | str = False,
        shuffle: int | None = None,
        steady: bool = True,
    ) -> Answer:
        self.asked.append((tuple(tests), files, shuffle))
        self.limits.append(limits)
        return self._answers(tuple(tests), files, shuffle)

    def warm(
        self,
        tests: Sequence[TestId],
        files: Files = (),
        *,
        limits: Limits | None = None,
        fresh_import: bool = False,
    ) -> TrialSession | InvalidRun:
        session = self._fresh if fresh_import else self._session
        return session(tuple(tests), files) if callable(session) else session

    def record_points(
        self, tests: Sequence[TestId], points: Sequence[Point], files: Files = (), *, limits: Limits | None = None
    ) -> Recording | InvalidRun:
        answer = self.run(tests, files)
        return answer if isinstance(answer, InvalidRun) else Recording(answer.sightings)

    def call_apart(
        self,
        function: FunctionId,
        calls: Sequence[CallInput],
        files: Files = (),
        *,
        limits: Limits | None = None,
        like_tests: bool = False,
    ) -> tuple[PlainAnswer | None, ...] | InvalidRun:
        self.apart_asked.append((tuple(calls), files, like_tests))
        if self._apart is None:
            return InvalidRun(RunFault.INCONSISTENT, "nothing is called by itself here")
        return self._apart(tuple(calls), files, like_tests)

    def compiles(self, files: Files) -> str:
        return self._problem

    def find_importable(self, modules: Sequence[str]) -> tuple[str, ...]:
        return tuple(modules)

    def module(
        self, name: str, args: Sequence[str], files: Files = (), *, limits: Limits | None = None
    ) -> Ran | InvalidRun:
        return self._module(name, tuple(args), files)

    def sources(self) -> Files:
        return self._sources

    def close(self) -> None:
        return None
