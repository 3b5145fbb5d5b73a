"""A warm server: what trials end like in its forks, and what may be asked about the live program.

The tests are imported and collected once, and each trial runs in a fork of a process of the target's interpreter (see
the probe's ``warm.py``). It ranks and never certifies, and all that it says is untrusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from analysis.errors import OutOfTimeError
from analysis.facts import FunctionId, InvalidRun, Limits, TestId
from analysis.trials import UNNOTICED, Trial, TrialOutcome
from sandbox.deadline import Deadline
from sandbox.warm_answer import WARM, ServerAnswer, outcome_of, seen_of_tests
from sandbox.warm_link import Prepare
from sandbox.warm_questions import WarmQuestions
from sandbox.warm_queue import WarmQueue


def open_warm(
    prepare: Prepare,
    tests: Sequence[TestId],
    limits: Limits,
    jobs: int,
    release: Callable[[], None],
    tier: str = WARM,
    deadline: Deadline | None = None,
) -> WarmServer | InvalidRun:
    """A server that has collected exactly these tests (all there are, for none), or why there is none.

    ``prepare`` is called for each start of the server; ``release`` once, when everything has ended.
    ``tier`` is what outcomes say of where they come from.
    """
    queue = WarmQueue(prepare, tuple(tests), limits, deadline or Deadline())
    server = WarmServer(queue, jobs, release, tier)
    try:
        problem = queue.start()
    except OutOfTimeError:
        server.close()
        raise
    if problem is not None:
        server.close()
    return problem or server


class WarmServer:
    """Conforms to ``TrialServer``. For one thread; several generators of outcomes may be open at a time."""

    def __init__(self, queue: WarmQueue, jobs: int, release: Callable[[], None], tier: str = WARM) -> None:
        """``queue`` leads to a server that is started by whoever made it, and ended here."""
        self._queue = queue
        self._jobs = max(1, jobs)
        self._release = release
        self._tier = tier
        self.questions = WarmQuestions(queue, self._send)
        self._unfit: dict[FunctionId, tuple[TestId, ...]] = {}
        self._closed = False

    @property
    def pid(self) -> int:
        """The server's process id, 0 when there is none."""
        return self._queue.pid

    @property
    def tests(self) -> tuple[TestId, ...]:
        """What the server has collected."""
        return self._queue.tests

    @property
    def ahead(self) -> int:
        """How many trials for each job are drawn ahead, as the server asked last."""
        return self._queue.ahead

    def bound(self, seconds: float) -> None:
        """Give each trial so much time from now on."""
        self._queue.bound(seconds)

    def hindrance(self, function: FunctionId) -> str:
        """Why no text of the function can be tried here, else ``""``.

        It may be that the text cannot be put in, or that the tests do something that a fork cannot answer for. Or the
        tests do the same with a body that raises, one that returns nothing and one that raises what few handlers catch.
        """
        numbers = [self._send("canary", function, body=body) for body in ("", "raises")]
        answers = [self._queue.take(number) for number in numbers]
        for answer in answers:
            if answer.problem is not None:
                return str(answer.problem)
        hazards = [line for line in answers[0].lines if "hazard" in line]
        if hazards:
            named = {str(line.get("during")) for line in hazards}
            known = named <= {*self.tests}
            self._unfit[function] = tuple(test for test in self.tests if test in named) if known else ()
            return str(hazards[0]["hazard"])
        if seen_of_tests(answers[0]) != seen_of_tests(answers[1]) or self._miss_it(function, answers[0]):
            return ""
        if all(answer.state == "timeout" for answer in answers):
            return "the tests do not come to their end in a fork: needs a fresh import"
        return f"{UNNOTICED}: needs a fresh import"

    def _miss_it(self, function: FunctionId, plain: ServerAnswer) -> bool:
        """Whether the tests do something else when it returns nothing, or when what it raises ends them.

        Who catches what it raises sees no exception; who waits for a warning asks for that alone, whatever was raised.
        """
        for body in ("returns", "ends"):
            answer = self._queue.take(self._send("canary", function, body=body))
            if answer.problem is None and seen_of_tests(answer) != seen_of_tests(plain):
                return True
        return False

    def find_unfit_tests(self, function: FunctionId) -> tuple[TestId, ...]:
        """The tests for which a fork cannot answer, as the last ``hindrance`` of the function has found them."""
        return self._unfit.get(function, ())

    def trials(self, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
        """Outcomes as they come. Only a few trials are drawn ahead of the outcomes, more where forks take several."""
        waiting: dict[int, Trial] = {}
        source = iter(trials)
        drained = False
        try:
            while True:
                while not drained and len(waiting) < self.ahead * self._jobs:
                    trial = next(source, None)
                    if trial is None:
                        drained = True
                    else:
                        waiting[self._send("trial", trial.function, **_request_of(trial))] = trial
                self._queue.flush()
                if not waiting:
                    return
                for number in self._queue.wait_for_any(waiting.keys()):
                    yield outcome_of(waiting.pop(number), self._queue.pop(number), self._tier)
        finally:
            for number in waiting:
                self._queue.forget(number)

    def questions_about(self, function: FunctionId) -> WarmQuestions:
        """What can be asked about the program that the tests run on, whatever the function."""
        return self.questions

    def digest_leftovers(self) -> str:
        """A digest of the files that trials can write, as they are now; empty where the server is not as it began."""
        if not self._queue.is_first:
            return ""
        digest = self._queue.take(self._send("left", FunctionId("", "", 0))).first("left")
        return digest if isinstance(digest, str) and self._queue.is_first else ""

    def usage(self) -> dict[str, Any]:
        """The server's own account of how trials have run so far."""
        lines = self._queue.take(self._send("usage", FunctionId("", "", 0))).lines
        return lines[0] if lines else {}

    def close(self) -> None:
        """End the server and everything that it started, and remove its copy."""
        if self._closed:
            return
        self._closed = True
        self._queue.close()
        self._release()

    def _send(self, task: str, function: FunctionId, **more: object) -> int:
        """Queue a request about a function; the answer will have the number."""
        usual = {"task": task, "jobs": self._jobs, "seconds": self._queue.seconds}
        return self._queue.put({**usual, **asdict(function), **more})


def _request_of(trial: Trial) -> dict[str, object]:
    """What is said of a trial: one that is patient, or about few tests, shares its fork with no other."""
    asked: dict[str, object] = {"text": trial.text.decode("latin-1")}
    if trial.patient:
        asked |= {"alone": True, "patient": True}
    elif trial.stuck_seconds:
        asked |= {"stuck": trial.stuck_seconds}
    if trial.only:
        asked |= {"alone": True, "only": list(trial.only)}
    return asked
