"""Requests to one warm server and its answers, which come in any order; a server that dies is started again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from time import monotonic

from analysis.facts import InvalidRun, Limits, RunFault, TestId
from sandbox.deadline import Deadline
from sandbox.warm_answer import ServerAnswer, answer_of
from sandbox.warm_link import Prepare, ServerLost, WarmLink

_START_SECONDS, _MOST_START_SECONDS = 60.0, 180.0
"""For one sign of life of a server that starts, and for all of them: it may go on to say something else for ever."""

_MOST_STARTS = 3
_CPU_SECONDS = 24 * 3600.0

GRACE = 15.0
"""Seconds beyond those of the work itself that an answer is waited for."""

LEAST_AHEAD, _MOST_AHEAD = 2, 256
"""How many trials for each job are drawn ahead of their outcomes."""


def server_limits(limits: Limits) -> Limits:
    """Limits of the server process: those of a trial, but time, which each fork has for itself."""
    return replace(limits, cpu_seconds=_CPU_SECONDS)


class WarmQueue:
    """What one server is asked, by numbers, and what it has answered.

    A server that dies is started again, twice at most. What was under way is asked once more, and counts as crashed
    where it was under way at a second death too. Where no server is left every request is answered at once: as gone.
    """

    def __init__(self, prepare: Prepare, tests: tuple[TestId, ...], limits: Limits, deadline: Deadline) -> None:
        self._prepare = prepare
        self.tests = tests
        """What the server has collected, or is to collect."""
        self._limits = limits
        self._deadline = deadline
        self._link: WarmLink | None = None
        self._starts = 0
        self._last = 0
        self._wanted: dict[int, dict[str, object]] = {}
        self._retried: set[int] = set()
        self._inbox: dict[int, ServerAnswer] = {}
        self.ahead = LEAST_AHEAD

    @property
    def pid(self) -> int:
        """The server's process id, 0 when there is none."""
        return self._link.pid if self._link else 0

    @property
    def console(self) -> str:
        """What the server wrote beside its answers."""
        return self._link.console if self._link else ""

    @property
    def is_first(self) -> bool:
        """Whether it is still the server that was started at first."""
        return self._starts == 1 and self._link is not None

    @property
    def seconds(self) -> float:
        """What one trial may take."""
        return min(self._limits.wall_seconds, self._limits.test_seconds * max(1, len(self.tests)))

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
                        return self._checked(event.get("tests"))
                    if event.get("event") in ("unserved", "no_pytest"):
                        fault = RunFault.NO_PYTEST if event["event"] == "no_pytest" else RunFault.INCONSISTENT
                        return InvalidRun(fault, str(event.get("message", ""))[:500], self._link.console)
        except ServerLost as lost:
            self._deadline.check()
            return InvalidRun(RunFault.EXITED, f"{lost} before it was ready", self._link.console)
        return InvalidRun(RunFault.EXITED, "the warm server does not become ready", self._link.console)

    def put(self, request: dict[str, object]) -> int:
        """Queue a request; the answer will have the number."""
        self._last += 1
        self._wanted[self._last] = {"id": self._last, **request}
        self._pass_on(self._last)
        return self._last

    def flush(self) -> None:
        """Let the server see at once what is queued, so that its forks can share it out."""
        if self._link is not None:
            self._link.flush()

    def wait_for_any(self, numbers: Collection[int]) -> list[int]:
        """Those of the numbers that have an answer, at least one."""
        while not (found := [n for n in numbers if n in self._inbox]):
            self._receive()
        return found

    def pop(self, number: int) -> ServerAnswer:
        """An answer that has arrived."""
        return self._inbox.pop(number)

    def take(self, number: int) -> ServerAnswer:
        """Wait for one answer."""
        self.flush()
        self.wait_for_any((number,))
        return self.pop(number)

    def forget(self, number: int) -> None:
        """Nobody waits for that answer any more."""
        self._wanted.pop(number, None)
        self._inbox.pop(number, None)

    def close(self) -> None:
        """End the server and everything that it started."""
        if self._link is not None:
            self._link.close()

    def _pass_on(self, number: int) -> None:
        """Give a request to the server, or answer it where there is none."""
        if self._link is None:
            del self._wanted[number]
            self._inbox[number] = ServerAnswer("gone", "the warm server is gone: needs a cold run")
        else:
            self._link.send(self._wanted[number])

    def _receive(self) -> None:
        assert self._link is not None, "without a server every request is answered at once"
        try:
            for event in self._link.events(min(self.seconds * 3 + 60 + GRACE, self._deadline.left)):
                number = event.get("id")
                if event.get("event") == "answer" and isinstance(number, int) and number in self._wanted:
                    del self._wanted[number]
                    asked = event.get("ahead")
                    self.ahead = max(LEAST_AHEAD, min(_MOST_AHEAD, asked)) if isinstance(asked, int) else LEAST_AHEAD
                    self._inbox[number] = answer_of(event)
        except ServerLost as lost:
            self._deadline.check()
            self._restart()
            for number in tuple(self._wanted):
                if number in self._retried:
                    del self._wanted[number]
                    self._inbox[number] = ServerAnswer("crashed", str(lost))
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
        missing = [test for test in self.tests if test not in found]
        if missing:
            return InvalidRun(RunFault.NO_SUCH_TEST, f"not collected: {', '.join(missing[:5])}")
        if self.tests and len(collected) != len(self.tests):
            return InvalidRun(RunFault.INCONSISTENT, "more tests were collected than asked for")
        self.tests = tuple(TestId(test) for test in collected)
        return None
