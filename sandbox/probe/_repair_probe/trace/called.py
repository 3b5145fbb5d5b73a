"""Which functions are called, and how often: counted by the interpreter's own profiler where that needs no Python code.

A function of ours at each call makes a start of pytest a fifth dearer. The profiler behind ``cProfile`` counts calls by
code object as well, in C. It watches the one thread that started it; calls of others are counted by a function still.
"""

import sys
import threading

try:
    from _lsprof import Profiler
except ImportError:  # another interpreter than CPython
    Profiler = None
if hasattr(sys, "monitoring"):
    Profiler = None  # it would take the place of the one profiler that there may be, which may be the target's


class Calls:
    """Counts calls of Python functions from ``start`` to ``stop``, of this thread and of those started meanwhile."""

    def __init__(self):
        self._counts = {}  # by identity: comparing codes is dear, and equal ones may stand in two files
        self._profiler = None

    def start(self):
        """Begin to count."""
        threading.setprofile(self._watch)
        self._begin()

    def stop(self):
        """Take what is left, and count no more."""
        threading.setprofile(None)
        self._end()
        found, self._counts = list(self._counts.values()), {}
        return found

    def _begin(self):
        if Profiler is None:
            sys.setprofile(self._watch)
        else:
            self._profiler = Profiler(subcalls=False, builtins=False)
            self._profiler.enable()

    def _end(self):
        if self._profiler is None:
            sys.setprofile(None)
            return
        profiler, self._profiler = self._profiler, None
        profiler.disable()
        for entry in profiler.getstats():
            if not isinstance(entry.code, str):
                self._add(entry.code, entry.callcount)

    def _watch(self, frame, event, _argument):
        if event == "call":
            self._add(frame.f_code, 1)

    def _add(self, code, count):
        known = self._counts.get(id(code))
        self._counts[id(code)] = (code, count + (known[1] if known else 0))
