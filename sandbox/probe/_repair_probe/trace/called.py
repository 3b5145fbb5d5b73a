"""Which functions are called, and how often: counted by the interpreter's own profiler where that needs no Python code.

A function of ours at each call makes a start of pytest a fifth dearer. The profiler behind ``cProfile`` counts calls by
code object as well, in C. It watches the one thread that started it; calls of others are counted by a function still.
"""

from __future__ import annotations

import sys
import threading

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from types import CodeType, FrameType

Profiler: type[_lsprof.Profiler] | None = None
try:
    import _lsprof
except ImportError:  # another interpreter than CPython
    pass
else:
    if not hasattr(sys, "monitoring"):  # there may be but one profiler then, which may be the target's
        Profiler = _lsprof.Profiler


class CallCounter:
    """Counts calls of Python functions from ``start`` to ``stop``, of this thread and of those started meanwhile."""

    def __init__(self) -> None:
        # by identity: comparing codes is dear, and equal ones may stand in two files
        self._counts: dict[int, tuple[CodeType, int]] = {}
        self._profiler: _lsprof.Profiler | None = None

    def start(self) -> None:
        """Begin to count."""
        threading.setprofile(self._watch)
        self._begin()

    def stop(self) -> list[tuple[CodeType, int]]:
        """Take what is left, and count no more."""
        threading.setprofile(None)
        self._end()
        found, self._counts = list(self._counts.values()), {}
        return found

    def _begin(self) -> None:
        if Profiler is None:
            sys.setprofile(self._watch)
        else:
            self._profiler = Profiler(subcalls=False, builtins=False)
            self._profiler.enable()

    def _end(self) -> None:
        if self._profiler is None:
            sys.setprofile(None)
            return
        profiler, self._profiler = self._profiler, None
        profiler.disable()
        for entry in profiler.getstats():
            if not isinstance(entry.code, str):
                self._add(entry.code, entry.callcount)

    def _watch(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            self._add(frame.f_code, 1)

    def _add(self, code: CodeType, count: int) -> None:
        known = self._counts.get(id(code))
        self._counts[id(code)] = (code, count + (known[1] if known else 0))
