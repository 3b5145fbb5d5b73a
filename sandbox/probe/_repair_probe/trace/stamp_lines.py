"""The line map of CPython 3.11: the project's modules note their own lines, as they are loaded."""

import builtins
import importlib.machinery
import runpy
import sys

from _repair_probe.trace.lines import Recorder, SettraceTracer, Tracer
from _repair_probe.trace.stamps import Lines, stamped


class StampTracer(Tracer):
    """Puts stamps into what is imported, rewritten by pytest, or run as a script below the root.

    Code that a test itself compiles under the name of a project's file is not seen. A code object that cannot be
    stamped turns the whole session over to the trace function.
    """

    def __init__(self, root):
        self._recorder = Recorder(root, Lines)
        self._fallback = self._running = None
        self._root = root
        plain_get_code = importlib.machinery.SourceFileLoader.get_code

        def get_code(loader, fullname):
            return self._stamped(plain_get_code(loader, fullname))

        importlib.machinery.SourceFileLoader.get_code = get_code
        runpy.exec = self._exec
        try:
            from _pytest.assertion import rewrite
        except ImportError:
            return
        rewrite.exec = self._exec

    def start(self):
        """Begin: what was noted before belongs to no test."""
        self._recorder.forget()
        self._running = self._fallback
        if self._running is not None:
            self._running.start()

    def stop(self):
        """End, and the lines."""
        return self._recorder.take() if self._running is None else self._running.stop()

    def _exec(self, code, *scopes):
        builtins.exec(self._stamped(code), *(scopes or _scopes(sys._getframe(1))))

    def _stamped(self, code):
        lines = self._recorder.seen_in(code.co_filename) if code is not None else None
        if lines is None or self._fallback is not None:
            return code
        try:
            return stamped(code, lines)
        except Exception:  # code that no compiler made may break any rule
            self._fallback = SettraceTracer(self._root)
            return code


def _scopes(frame):
    return frame.f_globals, frame.f_locals
