"""The line map of CPython 3.11: the project's modules note their own lines, as they are loaded."""

from __future__ import annotations

import builtins
import importlib.machinery
import runpy
import sys

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.trace.lines import LineRecorder, SettraceTracer, Tracer
from _repair_probe.trace.stamps import SeenLines, stamp_code

if TYPE_CHECKING:
    from types import CodeType, FrameType

    from _repair_probe.ground.words import Ranges, Value


class StampTracer(Tracer):
    """Puts stamps into what is imported, rewritten by pytest, or run as a script below the root.

    Code that a test itself compiles under the name of a project's file is not seen. A code object that cannot be
    stamped turns the whole session over to the trace function.
    """

    def __init__(self, root: str) -> None:
        self._recorder = LineRecorder(root, SeenLines)
        self._fallback: SettraceTracer | None = None
        self._running: SettraceTracer | None = None
        self._root = root
        plain_get_code = importlib.machinery.SourceFileLoader.get_code

        def get_code(loader: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
            code = plain_get_code(loader, fullname)
            return None if code is None else self._stamped(code)

        importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[assignment,method-assign]  # on purpose
        runpy.exec = self._exec  # type: ignore[attr-defined]  # in front of the builtin
        try:
            from _pytest.assertion import rewrite
        except ImportError:
            return
        rewrite.exec = self._exec  # type: ignore[attr-defined]  # the same

    def start(self) -> None:
        """Begin: what was noted before belongs to no test."""
        self._recorder.forget()
        self._running = self._fallback
        if self._running is not None:
            self._running.start()

    def stop(self) -> dict[str, Ranges]:
        """End, and the lines."""
        return self._recorder.take() if self._running is None else self._running.stop()

    def _exec(self, code: CodeType, *scopes: Value) -> None:
        builtins.exec(self._stamped(code), *(scopes or _scopes(sys._getframe(1))))

    def _stamped(self, code: CodeType) -> CodeType:
        lines: SeenLines | None = self._recorder.seen_in(code.co_filename)
        if lines is None or self._fallback is not None:
            return code
        try:
            return stamp_code(code, lines)
        except Exception:  # code that no compiler made may break any rule
            self._fallback = SettraceTracer(self._root)
            return code


def _scopes(frame: FrameType) -> tuple[dict[str, Value], Value]:
    return frame.f_globals, frame.f_locals
