"""Questions to a model: how patiently they are asked, several at once where that is wanted, and who hears of them.

Threads carry them: the SDK's own client blocks, whoever waits is a search in a thread too, and an ``await`` needs one
line more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace

from analysis.errors import ModelError
from repair.model.backend import Backend, BackendFault, FaultKind, ModelRequest
from repair.model.meter import Meter
from repair.model.reply import ModelReply
from repair.records.ports import Hold

FIRST_PAUSE = 1.0
"""Seconds before the second try; twice as long before each later one."""

MOST_TRIES = 4
"""Tries of one question, whatever their faults are."""

TIME_IS_UP = "the time is up"


@dataclass(frozen=True, slots=True)
class Spent:
    """Nothing was asked, or not again: a limit or the time is spent. ``reason`` says which."""

    reason: str


@dataclass(frozen=True, slots=True)
class Try:
    """One sending of a question: what came of it, and after how many seconds."""

    answer: ModelReply | BackendFault
    seconds: float


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question with all its tries. ``ended`` says why there is no reply; it is empty while it is under way, too."""

    number: int
    request: ModelRequest
    tries: tuple[Try, ...] = ()
    ended: str = ""

    @property
    def reply(self) -> ModelReply | None:
        """The reply, once there is one."""
        last = self.tries[-1].answer if self.tries else None
        return last if isinstance(last, ModelReply) else None


class ModelClient:
    """Asks one backend within the limits of one meter. All methods may be called from any thread, many at once."""

    def __init__(
        self,
        backend: Backend,
        meter: Meter,
        pause: Callable[[float], None] = time.sleep,
        note: Callable[[Exchange], None] = lambda exchange: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``note`` hears of each question before it is sent, and again after each try and at its end."""
        self._backend = backend
        self.meter = meter
        self._pause = pause
        self._note = note
        self._clock = clock
        self._lock = threading.Lock()
        self._count = 0
        self._gone: ModelError | None = None

    def ask(self, request: ModelRequest, seconds_left: Callable[[], float]) -> ModelReply | Spent:
        """The reply, tried for as often as the kind of each fault allows.

        It pauses for 1, 2, 4 … seconds between tries, or longer where the server asks for it. Raises ``ModelError``
        where the endpoint fails for good, or does not recover in the time that is left; then it is not asked again.
        """
        if self._gone is not None:
            raise ModelError(self._gone.found, remedy=self._gone.remedy)
        spent = TIME_IS_UP if seconds_left() <= 0 else self.meter.begin(request)
        if spent:
            return Spent(spent)
        exchange = Exchange(self._next_number(), request)
        self._note(exchange)
        while True:
            seconds = min(self.meter.limits.request_seconds, seconds_left())
            spent = TIME_IS_UP if seconds <= 0 else self.meter.hold(request)
            if spent:
                self._note(replace(exchange, ended=spent))
                return Spent(spent)
            exchange = replace(exchange, tries=(*exchange.tries, self._send(request, seconds)))
            answer = exchange.tries[-1].answer
            if isinstance(answer, ModelReply):
                self._note(exchange)
                return answer
            wait = max(FIRST_PAUSE * 2.0 ** (len(exchange.tries) - 1), answer.retry_after or 0.0)
            problem = _lasting_problem(exchange, answer, wait, seconds_left())
            self._note(replace(exchange, ended=problem.found if problem else ""))
            if problem is not None:
                if answer.kind is not FaultKind.REQUEST:  # that may be this question's fault
                    self._gone = problem
                raise problem
            self._pause(wait)

    def begin(self, request: ModelRequest, seconds_left: Callable[[], float]) -> Future[ModelReply | Spent]:
        """The same in a thread of its own: what ``ask`` gives or raises comes with the future."""
        answer: Future[ModelReply | Spent] = Future()

        def run() -> None:
            try:
                answer.set_result(self.ask(request, seconds_left))
            except BaseException as problem:  # noqa: BLE001 - handed over whole, raised where it is waited for
                answer.set_exception(problem)

        threading.Thread(target=run, daemon=True, name="question").start()
        return answer

    async def wait_for(self, request: ModelRequest, seconds_left: Callable[[], float]) -> ModelReply | Spent:
        """The same for callers that are coroutines."""
        import asyncio  # noqa: PLC0415 - a tenth of the start of a run that has no use for it

        return await asyncio.wrap_future(self.begin(request, seconds_left))

    def _send(self, request: ModelRequest, seconds: float) -> Try:
        began = self._clock()
        answer: ModelReply | BackendFault | None = None
        try:
            answer = self._backend.complete(request, seconds=seconds, most_tokens=self.meter.limits.output_tokens)
        finally:  # an interruption, too, is paid for
            self.meter.settle(request, answer)
        return Try(answer, round(self._clock() - began, 3))

    def _next_number(self) -> int:
        with self._lock:
            self._count += 1
            return self._count


@dataclass(frozen=True, slots=True)
class HeldClient:
    """Asks as ``first`` does, each question through ``hold``."""

    first: Callable[[ModelRequest, Callable[[], float]], ModelReply | Spent]
    hold: Hold

    def ask(self, request: ModelRequest, seconds_left: Callable[[], float]) -> ModelReply | Spent:
        """What the first gives or raises, or who holds it."""
        answer: ModelReply | Spent = self.hold(lambda: self.first(request, seconds_left))
        return answer


def _lasting_problem(exchange: Exchange, fault: BackendFault, wait: float, left: float) -> ModelError | None:
    """Why it is not tried again, ``None`` where it is after the wait. Both times are in seconds."""
    kind, count = fault.kind, len(exchange.tries)
    if kind.tries == 1:
        return ModelError(f"The model endpoint failed ({kind.label}): {fault.detail}", remedy=kind.remedy)
    alike = sum(isinstance(each.answer, BackendFault) and each.answer.kind is kind for each in exchange.tries)
    may_be_tried = count < MOST_TRIES and alike < kind.tries
    if may_be_tried and wait < left:
        return None
    tried = f"{count} {'try' if count == 1 else 'tries'}"
    late = f"; the next try would be in {wait:.0f} s, and {max(0.0, left):.0f} s are left"
    said = fault.detail + (late if may_be_tried else "")
    return ModelError(f"Model unavailable after {tried} ({kind.label}): {said}", remedy=kind.remedy)
