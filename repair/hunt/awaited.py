"""What takes long to come is made in a thread of its own, while a search goes on here.

A model answers in seconds, in which a search tries thousands of edits. So the proposals of whoever waits for outcomes
are made beside the search. They are made one at a time, so that each sees what became of the one before it. Servers are
for one thread. What such a proposer asks of them is an *errand*: it is run by the search, between two of its trials.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic, TypeVar

from analysis.courses import CallPair
from analysis.errors import OutOfTimeError
from analysis.facts import FunctionId, TestId
from analysis.synthesis import Forced, Query, Settled, WantedValue
from repair.records.ports import Values

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")

ERRAND_SECONDS = 0.02
"""How long a search that has nothing else to do waits for a reply before it looks for errands."""


class Errands:
    """Work that other threads want done in the thread that made this."""

    def __init__(self) -> None:
        self._home = threading.get_ident()
        self._waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._closed = False

    @property
    def is_closed(self) -> bool:
        """Whether nothing is run any more."""
        return self._closed

    def run(self, work: Callable[[], _Answer]) -> _Answer:
        """What the work gives, or raises; at once in the thread of the search. Raises ``OutOfTimeError`` after it."""
        if threading.get_ident() == self._home:
            return work()
        answer: Future[_Answer] = Future()

        def errand() -> None:
            if self._closed:
                answer.set_exception(OutOfTimeError("the search is over"))
                return
            try:
                answer.set_result(work())
            except BaseException as problem:
                answer.set_exception(problem)
                if not isinstance(problem, Exception):
                    raise

        self._waiting.put(errand)
        if self._closed:
            self.serve()
        return answer.result()

    def serve(self) -> None:
        """Run what is waiting."""
        while True:
            try:
                errand = self._waiting.get_nowait()
            except queue.Empty:
                return
            errand()

    def close(self) -> None:
        """Nothing is run any more; whoever waits, or comes later, hears that the time is over."""
        self._closed = True
        self.serve()


@dataclass(frozen=True, slots=True)
class ErrandValues:
    """Conforms to ``Values``: asks in the thread of the search."""

    values: Values
    errands: Errands

    def force(self, ask: Query) -> Callable[[], Forced]:
        """What has to stand at the function's places so that the failing tests pass."""
        answer = self.errands.run(lambda: self.values.force(ask))
        return lambda: self.errands.run(answer)

    def settle(self, ask: Query, wanted: Sequence[WantedValue]) -> Callable[[], Settled]:
        """Expressions that give that, and in passing tests what the program gives now."""
        answer = self.errands.run(lambda: self.values.settle(ask, wanted))
        return lambda: self.errands.run(answer)

    def follow(self, function: FunctionId, test: TestId) -> CallPair | None:
        """The function's call at which the failing test fails, and the nearest call of passing tests, step by step."""
        return self.errands.run(lambda: self.values.follow(function, test))


@dataclass(slots=True, eq=False)
class _Lane(Generic[_Item]):
    """One iterator, and its item that is being made or waits to be taken."""

    items: Iterator[_Item]
    made: Future[tuple[_Item, ...]] | None = None
    over: bool = False

    @property
    def is_here(self) -> bool:
        return self.made is not None and self.made.done()


class Awaited(Generic[_Item]):
    """The items of some iterators, each made in a thread of its own once it was asked for; of each one at a time.

    The threads end with their item and keep no program from its end: what was asked for last may never be taken.
    """

    def __init__(self, *items: Iterator[_Item]) -> None:
        self._lanes = tuple(_Lane(each) for each in items)
        self._arrived = threading.Event()

    @property
    def over(self) -> bool:
        """Whether no item will come any more."""
        return all(lane.over for lane in self._lanes)

    def ask(self) -> None:
        """Begin to make the next item of each iterator, unless one is on its way or waits to be taken."""
        for lane in self._lanes:
            if lane.made is None and not lane.over:
                self._begin(lane)

    def _begin(self, lane: _Lane[_Item]) -> None:
        made: Future[tuple[_Item, ...]] = Future()

        def make() -> None:
            try:
                made.set_result(next(((item,) for item in lane.items), ()))
            except BaseException as problem:  # noqa: BLE001 - raised again where it is taken
                made.set_exception(problem)
            self._arrived.set()

        lane.made = made
        threading.Thread(target=make, name="awaited", daemon=True).start()

    @property
    def is_here(self) -> bool:
        """Whether something can be taken without waiting: an item, an end, or an error."""
        return any(lane.is_here for lane in self._lanes)

    def wait(self, seconds: float) -> None:
        """Wait for that, at most so long."""
        self._arrived.clear()
        if any(lane.made is not None for lane in self._lanes) and not self.is_here:
            self._arrived.wait(seconds)

    def take(self) -> _Item | None:
        """What has come; ``None`` where nothing has, or one has ended. An error in its making is raised here."""
        lane = next((each for each in self._lanes if each.is_here), None)
        if lane is None or lane.made is None:
            return None
        made, lane.made = lane.made, None
        lane.over = True
        found = made.result()
        lane.over = not found
        return found[0] if found else None
