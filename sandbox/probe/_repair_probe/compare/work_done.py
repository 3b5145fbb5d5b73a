"""How much work two programs do on the same arguments, in executed lines.

The items run with the candidate in. At entries of the function both programs run on copies of the arguments, and on
larger ones. Lines are counted wherever they are run; those of the project also by themselves. A call beyond its bound
of lines is ended and counts as that many. Everything is bounded by counts, so that the same programs give the same
numbers. Processor time, which a busy machine does not change either, only ends what counts cannot.
"""

from __future__ import annotations

import os
import sys
import threading
from time import process_time

from _repair_probe.compare.bounds import Hang
from _repair_probe.compare.calls import Entry, Listener, insert_hook
from _repair_probe.compare.evaluate import RETURNED, CallableProgram, Evaluator, NotCompared
from _repair_probe.compare.live_base import base_of
from _repair_probe.ground.paths import OURS
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.runner import run_items
from _repair_probe.values.counted_comparisons import count_comparisons
from _repair_probe.values.scaled_inputs import FACTORS, places

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    import pytest

    from _repair_probe.compare.evaluate import CallOutcome
    from _repair_probe.ground.words import Fields, Send, Telling, Trace
    from _repair_probe.session.runner import ResultRecorder
    from _repair_probe.swap.live_functions import LiveFunction
    from _repair_probe.values.scaled_inputs import GrowthPlace

_LEAST_BOUND = 50000
"""Lines of one call that are always counted."""

_TIMES = 30
"""A call of the new program may run so many times the lines of the old one before it is ended."""

_ENOUGH = 15000
"""Lines after which a series of growing calls has said what it can."""

_LOOKS = 100
"""Entries of the function that are looked at for each call that is counted."""

_COUNTED = count_comparisons.__code__.co_filename


class Work:
    """Counts the lines that are executed while it is entered; ends the call beyond its bound."""

    _previous: Trace | None

    def __init__(self, root: str, bound: int) -> None:
        self._root, self._bound = root + os.sep, bound
        self.lines = self.own = 0
        self._kinds: dict[str, Trace | None] = {}

    @property
    def ended(self) -> bool:
        """Whether the bound was reached."""
        return self.lines > self._bound

    def __enter__(self) -> None:
        self._previous = sys.gettrace()
        sys.settrace(self._enter)

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._previous)

    def _enter(self, frame: FrameType, _event: str, _arg: object) -> Trace | None:
        name = frame.f_code.co_filename
        if name == _COUNTED:  # a comparison counts as a line
            self._add()
            return None
        if name not in self._kinds:
            own = name.startswith(self._root) and "site-packages" not in name
            self._kinds[name] = None if name.startswith(OURS) else self._project if own else self._foreign
        return self._kinds[name]

    def _project(self, _frame: FrameType, event: str, _arg: object) -> Trace | None:
        if event == "line":
            self.own += 1
            self._add()
        return self._project

    def _foreign(self, _frame: FrameType, event: str, _arg: object) -> Trace | None:
        if event == "line":
            self._add()
        return self._foreign

    def _add(self) -> None:
        self.lines += 1
        if self.lines > self._bound:
            raise Hang


class Weigher:
    """Two programs on the same calls. What was found goes out sample by sample."""

    def __init__(self, target: LiveFunction, root: str, request: Fields, send: Send) -> None:
        self._send, self._target, self._root = send, target, os.path.realpath(root)
        base = base_of(target)
        mine = request["mine"].encode("latin-1")
        self._mine_patch = target.patch(mine)
        self._hooked = target.patch(mine, insert_hook)
        self._mine = CallableProgram(self._mine_patch, base)
        self._old = CallableProgram(target.patch(request["old"].encode("latin-1")), base)
        self._evaluator = Evaluator(base.__globals__, request["call_seconds"], self._hooked.apply)
        self._spare, self._until = request["working_seconds"], 0.0
        self._left = request["most_lines"]
        self._series = request["series"]
        self._name = target.names[-1] if target.method else ".".join(target.names)
        self._noted: set[str] = set()
        self._number = 0

    def run(self, items: Sequence[pytest.Item], recorder: ResultRecorder, request: Fields) -> None:
        """Weigh the calls that the items make."""
        most, share = request["most"], request["share"]
        listener = Listener(self._target, self._hooked, self._mine_patch, most, share, self._take, _LOOKS)
        self._mine_patch.apply()
        run_items(items, recorder, stop_early=False, before=listener.begin)

    def _take(self, entry: Entry) -> None:
        if threading.current_thread() is not threading.main_thread():
            self._note("calls from other threads were left out")
            return
        self._until = process_time() + self._spare
        try:
            if not self._spent():
                self._weigh(entry)
        except NotCompared as problem:
            self._note(str(problem))
        finally:
            self._spare = self._until - process_time()

    def _spent(self) -> bool:
        if self._left < 0:
            self._note("as many lines as may be counted were, before all calls and sizes")
        elif process_time() > self._until:
            self._note("time was up before the work of all calls was counted")
        return self._left < 0 or process_time() > self._until

    def _weigh(self, entry: Entry) -> None:
        """One call, and series of larger ones like it where both programs agree on it."""
        call = entry.source(self._name)
        self._pair(entry)  # what a program keeps from its first run is none of its work
        first = self._pair(entry)
        again = self._evaluator.outcome(self._old, entry)
        if first.old != again:
            self._note("%s was left out: two runs of the old function differ" % call)
            return
        self._tell(call, "", 1, first, entry.test)
        if not first.agree or first.heavy:
            return
        for place in places(self._evaluator.copies(entry), entry.skip):
            if self._series <= 0 or self._spent():
                return
            self._series -= 1
            self._grow(entry, call, place, first)

    def _grow(self, entry: Entry, call: str, place: GrowthPlace, first: _Pair) -> None:
        self._number += 1
        self._tell(call, place.name, 1, first)
        for factor in FACTORS:
            copies = place.grow(self._evaluator.copies(entry), factor)
            if copies is None or self._spent():
                return
            pair = self._pair(Entry(*copies, entry.skip))
            self._tell(call, place.name, factor, pair)
            if pair.heavy:
                return

    def _pair(self, entry: Entry) -> _Pair:
        """Both programs on the same call."""
        work = Work(self._root, _LEAST_BOUND)
        old = self._evaluator.outcome(self._old, entry, work)
        more = Work(self._root, max(_LEAST_BOUND, _TIMES * work.lines))
        new = self._evaluator.outcome(self._mine, entry, more)
        self._left -= work.lines + more.lines
        return _Pair(old, work, new, more)

    def _tell(self, call: str, place: str, factor: int, pair: _Pair, test: str = "") -> None:
        old, new = pair.works
        self._send(
            work=[old.lines, old.own, new.lines, new.own],
            call=call,
            test=test,
            place=place,
            factor=factor,
            series=self._number if place else 0,
            agree=pair.agree,
            ended=[old.ended, new.ended],
        )

    def _note(self, text: str) -> None:
        if text not in self._noted and len(self._noted) < 20:
            self._noted.add(text)
            self._send(failed=text)


class _Pair:
    """What came of one call of each program."""

    def __init__(self, old: CallOutcome, work: Work, new: CallOutcome, more: Work) -> None:
        self.old, self.works = old, (work, more)
        whole = old.came_to_an_end and new.came_to_an_end
        self.agree = whole and old == new and old.kind == RETURNED
        self.heavy = not whole or max(work.lines, more.lines) > _ENOUGH


def work(
    target: LiveFunction, root: str, items: Sequence[pytest.Item], recorder: ResultRecorder, request: Fields
) -> Telling:
    """Work for a fork: see the module."""

    def counted(send: Send) -> None:
        Weigher(target, root, request, send).run(items, recorder, request)

    return counted
