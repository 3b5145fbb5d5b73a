"""Which lines of the project's files ran, between ``start`` and ``stop``.

The line map of CPython 3.11: the project's modules note their own lines, as they are loaded.
"""

from __future__ import annotations

import builtins
import importlib.machinery
import runpy
import sys
import threading
from dis import findlinestarts
from sys import gettrace, settrace

from _repair_probe.ground.paths import is_within
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.trace.picturing import Tracer
from _repair_probe.trace.stamps import SeenLines, stamp_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import CodeType, FrameType
    from typing import Any

    from _repair_probe.ground.words import Monitoring, Ranges, Trace, Value


class LineRecorder:
    """The lines seen, by file; files outside the project are known once and skipped."""

    def __init__(self, root: str, kind: Callable[[], Any] = set) -> None:
        self._root = root
        self._kind = kind
        self._skip = len(root.rstrip("/")) + 1
        self._files: dict[str, Any] = {}

    def seen_in(self, path: str) -> Any:
        """The set of lines, of the recorder's kind, for a file of the project, else ``None``."""
        try:
            return self._files[path]
        except KeyError:
            lines = self._files[path] = self._kind() if is_within(path, self._root) else None
            return lines

    def forget(self) -> None:
        """Drop what was seen."""
        for lines in list(self._files.values()):
            if lines:
                lines.clear()

    def seen_by_now(self) -> dict[str, Any]:
        """What was seen in each file, copied."""
        return {path: lines.copy() for path, lines in list(self._files.items()) if lines}

    def put_back(self, seen: dict[str, Any]) -> None:
        """Drop all but what had been seen then."""
        self.forget()
        for path, lines in seen.items():
            self._files[path].update(lines)

    def take(self) -> dict[str, Ranges]:
        """Ranges of the lines seen since last time, by relative path."""
        # Copied in one step each: threads that a test has left behind go on adding.
        taken = {path[self._skip :]: ranges_of(list(lines)) for path, lines in list(self._files.items()) if lines}
        self.forget()
        return taken


class SettraceTracer(Tracer):
    """``sys.settrace`` and ``threading.settrace``, restricted to the project's files.

    A function that has shown all of its lines in this test is left alone for the rest of it.
    """

    def __init__(self, root: str) -> None:
        self._recorder = LineRecorder(root)
        self._before: Trace | None = None
        # by identity: equal code objects of two files compare equal
        self._watched: dict[int, tuple[CodeType, frozenset[int]]] = {}
        self._open: dict[int, Trace | None] = {}
        self._call = self._caller(self._recorder.seen_in, self._open)
        self._let_go = False

    def start(self) -> None:
        """Begin, even where a test before this one left its own trace function behind."""
        self._before = gettrace()
        self._open.clear()
        threading.settrace(self._call)
        settrace(self._call)

    def stop(self) -> dict[str, Ranges]:
        """End, and the lines."""
        settrace(self._before)
        threading.settrace(self._before)
        return self._recorder.take()

    def hold(self) -> None:
        """Let go of this thread, unless the test has put a trace function of its own there."""
        self._let_go = gettrace() is self._call
        if self._let_go:
            settrace(None)

    def resume(self) -> None:
        """Watch it again."""
        if self._let_go:
            settrace(self._call)

    def _caller(self, seen_in: Callable[[str], set[int] | None], watching: dict[int, Trace | None]) -> Trace:
        def call(frame: FrameType, event: str, arg: object) -> Trace | None:
            code = frame.f_code
            lines = seen_in(code.co_filename)
            if lines is None:
                return None
            try:
                return watching[id(code)]
            except KeyError:
                return self._begin(code, lines.add)

        return call

    def _begin(self, code: CodeType, add: Callable[[int], None]) -> Trace:
        """Watch the code object for this test: the function that its frames call for each line."""
        if id(code) not in self._watched:
            self._watched[id(code)] = (code, frozenset(line for _, line in findlinestarts(code)))
        whole = self._watched[id(code)][1]
        left, watching = set(whole), self._open

        def line(frame: FrameType, event: str, arg: object) -> Trace | None:
            if event != "line":
                return line
            number = frame.f_lineno
            if number in left:
                left.discard(number)
                add(number)
                if not left:
                    watching[id(code)] = frame.f_trace = None
                    return None
            elif number not in whole:
                add(number)
            return line

        watching[id(code)] = line
        return line


class MonitoringTracer(Tracer):
    """``sys.monitoring``: a code object of the project is watched from its first start on.

    Each line reports once a test; everything else pays one event per function and test.
    """

    def __init__(self, root: str) -> None:
        self._recorder = LineRecorder(root)
        self._monitoring: Monitoring = sys.monitoring  # type: ignore[attr-defined]  # since Python 3.12
        self._tool = next(tool for tool in (4, 3, 2) if self._monitoring.get_tool(tool) is None)
        self._monitoring.use_tool_id(self._tool, "repair probe")
        events = self._monitoring.events
        self._monitoring.register_callback(self._tool, events.PY_START, self._started)
        self._monitoring.register_callback(self._tool, events.LINE, self._line)
        self._watched: dict[int, CodeType] = {}  # by identity: equal code objects of two files compare equal
        self._on = self._held = False

    def start(self) -> None:
        """Begin."""
        self._on, self._held = True, False
        self._monitoring.set_events(self._tool, self._monitoring.events.PY_START)
        self._monitoring.restart_events()

    def stop(self) -> dict[str, Ranges]:
        """End, and the lines."""
        self._on = False
        self._monitoring.set_events(self._tool, 0)
        return self._recorder.take()

    def hold(self) -> None:
        """Leave lines unreported."""
        self._held = True

    def resume(self) -> None:
        """Take what is reported."""
        self._held = False

    def _started(self, code: CodeType, offset: int) -> object:
        if id(code) not in self._watched and self._recorder.seen_in(code.co_filename) is not None:
            self._watched[id(code)] = code
            self._monitoring.set_local_events(self._tool, code, self._monitoring.events.LINE)
        return self._monitoring.DISABLE

    def _line(self, code: CodeType, line: int) -> object:
        if self._held:
            return None  # it is reported again, should the test go on
        if self._on:
            lines: set[int] | None = self._recorder.seen_in(code.co_filename)
            if lines is not None:
                lines.add(line)
        return self._monitoring.DISABLE


def ranges_of(lines: Iterable[int | None]) -> Ranges:
    """Sorted ``[first, last]`` pairs. Code that was made at run time may name lines that no file has."""
    ranges: Ranges = []
    for line in sorted(line for line in lines if line and line > 0):
        if ranges and ranges[-1][1] == line - 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return ranges


class StampTracer(Tracer):
    """Puts stamps into what is imported, rewritten by pytest, or run as a script below the root.

    Code that a test itself compiles under the name of a project's file is not seen. A code object that cannot be
    stamped turns the whole session over to the trace function.
    """

    def __init__(self, root: str) -> None:
        self._recorder = LineRecorder(root, SeenLines)
        self._fallback: SettraceTracer | None = None
        self._running: SettraceTracer | None = None
        self._kept: dict[str, Any] | None = None
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
        self._kept = None
        self._running = self._fallback
        if self._running is not None:
            self._running.start()

    def stop(self) -> dict[str, Ranges]:
        """End, and the lines."""
        if self._running is not None:
            return self._running.stop()
        self.resume()
        return self._recorder.take()

    def hold(self) -> None:
        """Remember what was noted by now: stamps go on."""
        if self._running is not None:
            self._running.hold()
        else:
            self._kept = self._recorder.seen_by_now()

    def resume(self) -> None:
        """Drop what was noted since."""
        if self._running is not None:
            self._running.resume()
        elif self._kept is not None:
            self._recorder.put_back(self._kept)
            self._kept = None

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
