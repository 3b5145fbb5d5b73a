"""Which lines ran one after the other, between ``start`` and ``stop``: what branches are told by.

An arc is a pair of lines of one code object, as in coverage.py: from the line that ran before to the next. A negative
number stands for the way in, or out: minus the first line of the code object. A function that is left by an exception
took no way out of its last line.
"""

from __future__ import annotations

import dis
import threading
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from sys import gettrace, settrace

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.trace.lines import LineRecorder, ranges_of
from _repair_probe.trace.picturing import Tracer

if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Callable

    from _repair_probe.ground.words import Ranges, Trace

_PAUSES = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_RESUME = dis.opmap.get("RESUME")
_RETURNS = frozenset(number for name, number in dis.opmap.items() if name in ("RETURN_VALUE", "RETURN_CONST"))


class ArcTracer(Tracer):
    """``sys.settrace`` and ``threading.settrace``, restricted to the project's files; every line is told."""

    def __init__(self, root: str) -> None:
        self._recorder = LineRecorder(root)
        self._skip = len(root.rstrip("/")) + 1
        self._before: Trace | None = None
        self._let_go = False
        self._arcs: dict[str, list[int]] = {}
        self._code: dict[int, tuple[CodeType, bytes]] = {}  # by identity: equal code of two files compares equal

    def start(self) -> None:
        """Begin, even where a test before this one left its own trace function behind."""
        self._before = gettrace()
        self._recorder.forget()
        threading.settrace(self._call)
        settrace(self._call)

    def stop(self) -> dict[str, Ranges]:
        """End, and the lines."""
        settrace(self._before)
        threading.settrace(self._before)
        seen = self._recorder.seen_by_now()
        self._recorder.forget()
        self._arcs = {path[self._skip :]: [end for arc in sorted(arcs) for end in arc] for path, arcs in seen.items()}
        return {path[self._skip :]: ranges_of(to for _, to in arcs) for path, arcs in seen.items()}

    def arcs(self) -> dict[str, list[int]]:
        """The arcs of what was stopped last, by relative path: both ends of the first, then of the next, and so on."""
        return self._arcs

    def hold(self) -> None:
        """Let go of this thread, unless the test has put a trace function of its own there."""
        self._let_go = gettrace() is self._call
        if self._let_go:
            settrace(None)

    def resume(self) -> None:
        """Watch it again."""
        if self._let_go:
            settrace(self._call)

    def _call(self, frame: FrameType, _event: str, _arg: object) -> Trace | None:
        code = frame.f_code
        arcs: set[tuple[int, int]] | None = self._recorder.seen_in(code.co_filename)
        if arcs is None:
            return None
        start = -code.co_firstlineno
        resumed = code.co_flags & _PAUSES and self._is_resumed(frame)
        return self._follow(frame.f_lineno if resumed else start, start, arcs.add)

    def _follow(self, last: int, start: int, add: Callable[[tuple[int, int]], None]) -> Trace:
        def line(frame: FrameType, event: str, _arg: object) -> Trace | None:
            nonlocal last
            if event == "line":
                number = frame.f_lineno
                add((last, number))
                last = number
            elif event == "return" and self._operation(frame, 0) in _RETURNS:
                add((last, start))
            return line

        return line

    def _is_resumed(self, frame: FrameType) -> bool:
        if _RESUME is None:
            return frame.f_lasti >= 0
        return self._operation(frame, 0) == _RESUME and self._operation(frame, 1) & 3 != 0

    def _operation(self, frame: FrameType, further: int) -> int:
        """The byte of the code at which the frame is, or so many after it."""
        code = frame.f_code
        if id(code) not in self._code:
            self._code[id(code)] = (code, code.co_code)
        place = frame.f_lasti + further
        return self._code[id(code)][1][place] if place >= 0 else -1
