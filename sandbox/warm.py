"""Trials on a warm server: the tests are imported and collected once, and each trial runs in a fork.

The server is a process of the target's interpreter (see the probe's ``warm.py``). It ranks and never
certifies. A server that dies is started again, twice at most; what was under way is tried once more, and counts as
crashed where it was under way at a second death too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Literal

from analysis.calls import CallInput, Comparison, RecordedCall
from analysis.errors import OutOfTimeError
from analysis.facts import FunctionId, InvalidRun, Limits, RunFault, TestId
from analysis.synthesis import Forced, Query, Settled, Wanted
from analysis.trials import Trial, TrialOutcome, TrialState
from analysis.work import WorkReport
from sandbox.deadline import Deadline
from sandbox.warm_comparison import RECORDED, Ask, Differences
from sandbox.warm_link import Prepare, ServerLost, WarmLink
from sandbox.warm_stats import PoolStats, stats_of
from sandbox.warm_synthesis import force_request, forced_of, settle_request, settled_of
from sandbox.warm_work import report_of, work_request

WARM, BATCH, ZYGOTE = "warm", "batch", "zygote"
"""Where an outcome comes from: a fork of its own, one shared with others, or one that imports the project anew."""

_START_SECONDS, _MOST_START_SECONDS = 60.0, 180.0
"""For one sign of life of a server that starts, and for all of them: it may go on to say something else for ever."""

_MOST_STARTS = 3
_GRACE = 15.0
_LEAST_AHEAD, _MOST_AHEAD = 2, 256
_CPU_SECONDS = 24 * 3600.0
_STATES = {"timeout": TrialState.TIMEOUT, "crashed": TrialState.CRASHED, "flood": TrialState.FLOOD}
_STUCK = "still running after more processor time than it should need"
_OUT_OF_MEMORY = " in call: MemoryError"

Mode = Literal["auto", "fork", "batch"]
"""How trials run: ``fork`` gives each a fork of its own, ``batch`` starts batches at once, where they are sound."""


def server_limits(limits: Limits) -> Limits:
    """Limits of the server process: those of a trial, but time, which each fork has for itself."""
    return replace(limits, cpu_seconds=_CPU_SECONDS)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server said of one fork: how it ended, and the lines that it wrote (untrusted)."""

    state: str
    ending: str
    lines: tuple[dict[str, Any], ...] = ()

    def first(self, key: str) -> Any:
        """The value of the first line that has the key, else ``None``."""
        return next((line[key] for line in self.lines if key in line), None)


def open_warm(
    prepare: Prepare,
    tests: Sequence[TestId],
    limits: Limits,
    jobs: int,
    release: Callable[[], None],
    mode: Mode = "auto",
    tier: str = WARM,
    deadline: Deadline | None = None,
) -> WarmServer | InvalidRun:
    """A server that has collected exactly these tests (all there are, for none), or why there is none.

    ``prepare`` is called for each start of the server; ``release`` once, when everything has ended.
    ``tier`` is what outcomes say of where they come from.
    """
    server = WarmServer(prepare, tests, limits, jobs, release, mode, tier, deadline)
    try:
        problem = server.start()
    except OutOfTimeError:
        server.close()
        raise
    if problem is not None:
        server.close()
        return problem
    return server


class WarmServer:
    """Conforms to ``WarmSession``. For one thread; several generators of outcomes may be open at a time."""

    def __init__(
        self,
        prepare: Prepare,
        tests: Sequence[TestId],
        limits: Limits,
        jobs: int,
        release: Callable[[], None],
        mode: Mode = "auto",
        tier: str = WARM,
        deadline: Deadline | None = None,
    ) -> None:
        self._deadline = deadline or Deadline()
        self.mode: Mode = mode
        self._tier = tier
        self._prepare = prepare
        self._release = release
        self._tests = tuple(tests)
        self._jobs = max(1, jobs)
        self._limits = limits
        self._link: WarmLink | None = None
        self._starts = 0
        self._ids = 0
        self._wanted: dict[int, dict[str, object]] = {}
        self._retried: set[int] = set()
        self._inbox: dict[int, Answer] = {}
        self._callers: dict[FunctionId, int] = {}
        self._closed = False
        self.ahead = _LEAST_AHEAD
        self.took = 0.0

    @property
    def pid(self) -> int:
        """The server's process id, 0 when there is none."""
        return self._link.pid if self._link else 0

    @property
    def tests(self) -> tuple[TestId, ...]:
        """What the server has collected."""
        return self._tests

    def bound(self, seconds: float) -> None:
        """Give each trial so much time from now on."""
        self._limits = replace(self._limits, wall_seconds=seconds, test_seconds=seconds)

    def start(self) -> InvalidRun | None:
        """Start the server; ``None`` when it is ready."""
        self._deadline.check()
        self._starts += 1
        self._link = WarmLink(self._prepare)
        until = monotonic() + _MOST_START_SECONDS
        try:
            while monotonic() < until:
                for event in self._link.events(min(_START_SECONDS, self._deadline.left)):
                    if event.get("event") == "ready":
                        self.took = event["took"] if isinstance(event.get("took"), float) else 0.0
                        return self._checked(event.get("tests"))
                    if event.get("event") in ("unserved", "no_pytest"):
                        return self._refused(event)
        except ServerLost as lost:
            self._deadline.check()
            return InvalidRun(RunFault.EXITED, f"{lost} before it was ready", self._link.console)
        return InvalidRun(RunFault.EXITED, "the warm server does not become ready", self._link.console)

    def effective(self, function: FunctionId) -> bool:
        """Whether texts of the function can be tried here."""
        return not self.hindrance(function)

    def hindrance(self, function: FunctionId) -> str:
        """Why no text of the function can be tried here, else ``""``.

        Either it cannot be put in, or a raising body in its place does not change what these tests do, or they
        do something that a fork cannot answer for.
        """
        plain, raising = (self._send("canary", function, raising=raising) for raising in (False, True))
        answers = [self._take(number) for number in (plain, raising)]
        for answer in answers:
            problem = answer.ending if answer.state == "gone" else answer.first("invalid") or answer.first("problem")
            if problem is not None:
                return str(problem)
        if (hazard := answers[0].first("hazard")) is not None:
            return str(hazard)
        if _canary(answers[0]) == _canary(answers[1]):
            return "these tests do not notice when it raises: needs a fresh import"
        return ""

    def trials(self, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
        """Outcomes as they come. Only a few trials are drawn ahead of the outcomes, more where forks take several."""
        waiting: dict[int, Trial] = {}
        source = iter(trials)
        drained = False
        try:
            while True:
                ahead = _LEAST_AHEAD if self.mode == "fork" else self.ahead
                while not drained and len(waiting) < ahead * self._jobs:
                    trial = next(source, None)
                    if trial is None:
                        drained = True
                    else:
                        waiting[self._send("trial", trial.function, **_asked(trial))] = trial
                self._flush()
                if not waiting:
                    return
                for number in self._arrived(waiting.keys()):
                    yield outcome_of(waiting.pop(number), self._inbox.pop(number), self._tier)
        finally:
            for number in waiting:
                self._wanted.pop(number, None)
                self._inbox.pop(number, None)

    def record(self, function: FunctionId, most: int) -> tuple[RecordedCall, ...]:
        """Up to ``most`` distinct calls of the function while the tests run on the unpatched program."""
        answer = self._take(self._send("record", function, seconds=self._seconds() + _GRACE, most=most))
        lines = (line.get("call") for line in answer.lines)
        calls = [_recorded(call) for call in lines if isinstance(call, list) and len(call) == 4]
        self._callers[function] = len({call.test for call in calls})
        return spread(calls, most)

    def compare(
        self,
        mine: Trial,
        rivals: Sequence[Trial],
        inputs: Sequence[CallInput],
        old: Trial,
        changed_lines: Sequence[int],
        looser: bool = False,
    ) -> Comparison:
        """Run candidate and rivals on copies of the arguments of recorded calls and on the given inputs."""
        if mine.function not in self._callers:
            self.record(mine.function, RECORDED)
        share = max(2, -(-RECORDED // max(1, self._callers[mine.function])))
        ask = Ask(mine, old, tuple(inputs), tuple(changed_lines), self._seconds(), share, looser)
        found = Differences(ask, rivals)
        while groups := found.groups():
            numbers = [self._send("compare", mine.function, **ask.request(group, found.rivals)) for group in groups]
            for group, number in zip(groups, numbers, strict=True):
                answer = self._take(number)
                found.take(group, answer.state, answer.ending, answer.lines)
        return found.comparison()

    def work(self, mine: Trial, old: Trial, effort: int = 1) -> WorkReport:
        """Lines that both programs execute on recorded calls and on larger ones."""
        answer = self._take(self._send("work", mine.function, **work_request(mine, old, effort, self._seconds())))
        return report_of(answer.state, answer.ending, answer.lines)

    def force(self, ask: Query) -> Callable[[], Forced]:
        """What has to stand at places of the function so that these tests pass; begun at once, and waited for."""
        number = self._send("force", ask.function, **force_request(ask))
        self._flush()

        def answer() -> Forced:
            told = self._take(number)
            return forced_of(ask, told.state, told.ending, told.lines)

        return answer

    def settle(self, ask: Query, wanted: Sequence[Wanted], *, record: bool) -> Callable[[], Settled]:
        """Expressions that give what is wanted and, with ``record``, in these tests what the program gives now."""
        number = self._send("settle", ask.function, **settle_request(ask, wanted, record=record))
        self._flush()

        def answer() -> Settled:
            told = self._take(number)
            return settled_of(wanted, told.state, told.ending, told.lines)

        return answer

    def left(self) -> str:
        """A digest of the files that trials can write, as they are now; empty where the server is not as it began."""
        if self._starts > 1 or self._link is None:
            return ""
        told = self._take(self._send("left", FunctionId("", "", 0))).first("left")
        return told if isinstance(told, str) and self._starts == 1 else ""

    def stats(self) -> PoolStats:
        """How the trials have run so far."""
        told = self._take(self._send("usage", FunctionId("", "", 0))).lines
        return stats_of(told[0]) if told else PoolStats()

    def close(self) -> None:
        """End the server and everything that it started, and remove its copy."""
        if self._closed:
            return
        self._closed = True
        if self._link is not None:
            self._link.close()
        self._release()

    def _seconds(self) -> float:
        return min(self._limits.wall_seconds, self._limits.test_seconds * max(1, len(self._tests)))

    def _send(self, task: str, function: FunctionId, **more: object) -> int:
        """Queue a request; the answer will have the number."""
        self._ids += 1
        request: dict[str, object] = {
            "id": self._ids,
            "task": task,
            "jobs": self._jobs,
            "mode": self.mode,
            "path": function.path,
            "qualname": function.qualname,
            "first_line": function.first_line,
            "seconds": self._seconds(),
            **more,
        }
        self._wanted[self._ids] = request
        self._pass_on(self._ids)
        return self._ids

    def _pass_on(self, number: int) -> None:
        """Give a request to the server, or answer it where there is none."""
        if self._link is None:
            del self._wanted[number]
            self._inbox[number] = Answer("gone", "the warm server is gone: needs a cold run")
        else:
            self._link.send(self._wanted[number])

    def _flush(self) -> None:
        """Let the server see at once what is queued, so that its forks can share it out."""
        if self._link is not None:
            self._link.flush()

    def _take(self, number: int) -> Answer:
        """Wait for one answer."""
        self._flush()
        while number not in self._inbox:
            self._receive()
        return self._inbox.pop(number)

    def _arrived(self, numbers: Iterable[int]) -> list[int]:
        """Those of the numbers that have an answer, at least one."""
        while not (found := [n for n in numbers if n in self._inbox]):
            self._receive()
        return found

    def _receive(self) -> None:
        assert self._link is not None, "without a server every request is answered at once"
        try:
            for event in self._link.events(min(self._seconds() * 3 + 60 + _GRACE, self._deadline.left)):
                number = event.get("id")
                if event.get("event") == "answer" and isinstance(number, int) and number in self._wanted:
                    del self._wanted[number]
                    self.ahead = _ahead(event.get("ahead"))
                    self._inbox[number] = _answer(event)
        except ServerLost as lost:
            self._deadline.check()
            self._restart()
            for number in tuple(self._wanted):
                if number in self._retried:
                    del self._wanted[number]
                    self._inbox[number] = Answer("crashed", str(lost))
                else:
                    self._retried.add(number)
                    self._pass_on(number)

    def _restart(self) -> None:
        assert self._link is not None, "a server was lost"
        self._link.close()
        problem = self.start() if self._starts < _MOST_STARTS else InvalidRun(RunFault.EXITED, "died again")
        if problem is not None and self._link is not None:
            self._link.close()
            self._link = None

    def _checked(self, collected: object) -> InvalidRun | None:
        if not isinstance(collected, list) or not all(isinstance(test, str) for test in collected):
            return InvalidRun(RunFault.INCONSISTENT, "the warm server's list of tests is unreadable")
        found = set(collected)
        missing = [test for test in self._tests if test not in found]
        if missing:
            return InvalidRun(RunFault.NO_SUCH_TEST, f"not collected: {', '.join(missing[:5])}")
        if self._tests and len(collected) != len(self._tests):
            return InvalidRun(RunFault.INCONSISTENT, "more tests were collected than asked for")
        self._tests = tuple(TestId(test) for test in collected)
        return None

    def _refused(self, event: dict[str, Any]) -> InvalidRun:
        fault = RunFault.NO_PYTEST if event["event"] == "no_pytest" else RunFault.INCONSISTENT
        assert self._link is not None, "an event has a sender"
        return InvalidRun(fault, str(event.get("message", ""))[:500], self._link.console)


def _ahead(told: object) -> int:
    """How many trials for each job are drawn ahead: what the server asks for, within bounds."""
    return max(_LEAST_AHEAD, min(_MOST_AHEAD, told)) if isinstance(told, int) else _LEAST_AHEAD


def _asked(trial: Trial) -> dict[str, object]:
    """What is said of a trial: one that is patient shares its fork with no other."""
    text = trial.text.decode("latin-1")
    return {"text": text, "alone": True, "patient": True} if trial.patient else {"text": text}


def outcome_of(trial: Trial, answer: Answer, tier: str = WARM) -> TrialOutcome:
    """What a fork's answer says of its trial. Without a complete list of passed tests nothing has passed."""
    if answer.first("batch") is True:
        tier = BATCH
    if answer.state == "gone":
        return TrialOutcome(trial.digest, TrialState.INVALID, None, answer.ending, tier)
    if answer.state != "done":
        return TrialOutcome(trial.digest, _STATES.get(answer.state, TrialState.CRASHED), None, answer.ending, tier)
    if (invalid := answer.first("invalid")) is not None:
        return TrialOutcome(trial.digest, TrialState.INVALID, None, str(invalid), tier)
    if answer.first("stuck") is True:
        return TrialOutcome(trial.digest, TrialState.TIMEOUT, None, _STUCK, tier, hasty=True)
    if answer.first("passed") is True:
        return TrialOutcome(trial.digest, TrialState.PASSED, tier=tier)
    failed = answer.first("failed")
    test = TestId(failed) if isinstance(failed, str) else None
    detail = str(answer.first("detail") or answer.first("problem") or "not all tests were reported as passed")
    state = TrialState.MEMORY if _OUT_OF_MEMORY in detail[:40] else TrialState.FAILED
    return TrialOutcome(trial.digest, state, test, detail, tier)


def spread(calls: Sequence[RecordedCall], most: int) -> tuple[RecordedCall, ...]:
    """Up to ``most`` of the calls: the first of each test, then the second of each, and so on; none twice."""
    turns: list[tuple[int, int]] = []
    seen: dict[TestId, int] = {}
    known: set[CallInput] = set()
    for place, call in enumerate(calls):
        if not call.plain or call.input not in known:
            known.add(call.input)
            seen[call.test] = seen.get(call.test, 0) + 1
            turns.append((seen[call.test], place))
    return tuple(calls[place] for place in sorted(place for _, place in sorted(turns)[:most]))


def _answer(event: dict[str, Any]) -> Answer:
    lines = event.get("lines")
    kept = tuple(line for line in lines if isinstance(line, dict)) if isinstance(lines, list) else ()
    return Answer(str(event.get("state")), str(event.get("ending")), kept)


def _canary(answer: Answer) -> tuple[str, list[tuple[str, str]]]:
    """What was seen of each test."""
    return answer.state, sorted((str(x.get("test")), str(x.get("seen"))) for x in answer.lines if "test" in x)


def _recorded(call: Sequence[Any]) -> RecordedCall:
    test, args, kwargs, plain = call
    return RecordedCall(TestId(str(test)), CallInput(str(args), str(kwargs)), plain is True)
