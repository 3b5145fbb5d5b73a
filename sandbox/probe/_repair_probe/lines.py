"""Which lines of the project's files ran, between ``start`` and ``stop``."""

import sys
import threading
from dis import findlinestarts
from sys import gettrace, settrace

from _repair_probe.paths import within


def tracer(kind, root):
    """The recorder of that kind: ``""`` none, ``auto`` the best of this interpreter, or a named one.

    Kinds: ``monitoring`` (3.12 and newer), ``stamps`` (3.11) and ``settrace``; and ``since check``, which tells
    functions, not lines.
    """
    if not kind:
        return NoTracer()
    if kind == "since check":
        from _repair_probe.since_check import SinceCheck

        return SinceCheck(root)
    if kind == "monitoring" or (kind == "auto" and hasattr(sys, "monitoring")):
        return MonitoringTracer(root)
    if kind in ("stamps", "auto"):
        from _repair_probe.stamp_lines import StampTracer
        from _repair_probe.stamps import USABLE

        if USABLE:
            return StampTracer(root)
    return SettraceTracer(root)


class Tracer:
    """What all tracers have: ``start`` before a test is set up, ``begin`` and ``end`` around its own call."""

    def begin(self, item):
        """Nothing new, for most."""

    def end(self):
        """Nothing either."""


class NoTracer(Tracer):
    """Records nothing."""

    def start(self):
        """Begin."""

    def stop(self):
        """No lines."""


class Recorder:
    """The lines seen, by file; files outside the project are known once and skipped."""

    def __init__(self, root, kind=set):
        self._root = root
        self._kind = kind
        self._skip = len(root.rstrip("/")) + 1
        self._files = {}

    def seen_in(self, path):
        """The set of lines for a file of the project, else ``None``."""
        try:
            return self._files[path]
        except KeyError:
            lines = self._files[path] = self._kind() if within(path, self._root) else None
            return lines

    def forget(self):
        """Drop what was seen."""
        for lines in list(self._files.values()):
            if lines:
                lines.clear()

    def take(self):
        """Ranges of the lines seen since last time, by relative path."""
        # Copied in one step each: threads that a test has left behind go on adding.
        taken = {path[self._skip :]: ranges_of(list(lines)) for path, lines in list(self._files.items()) if lines}
        self.forget()
        return taken


class SettraceTracer(Tracer):
    """``sys.settrace`` and ``threading.settrace``, restricted to the project's files.

    A function that has shown all of its lines in this test is left alone for the rest of it.
    """

    def __init__(self, root):
        self._recorder = Recorder(root)
        self._before = None
        self._watched = {}  # by identity: equal code objects of two files compare equal
        self._open = {}
        self._call = self._caller(self._recorder.seen_in, self._open)

    def start(self):
        """Begin, even where a test before this one left its own trace function behind."""
        self._before = gettrace()
        self._open.clear()
        threading.settrace(self._call)
        settrace(self._call)

    def stop(self):
        """End, and the lines."""
        settrace(self._before)
        threading.settrace(self._before)
        return self._recorder.take()

    def _caller(self, seen_in, watching):
        def call(frame, event, arg):
            code = frame.f_code
            lines = seen_in(code.co_filename)
            if lines is None:
                return None
            try:
                return watching[id(code)]
            except KeyError:
                return self._begin(code, lines.add)

        return call

    def _begin(self, code, add):
        """Watch the code object for this test: the function that its frames call for each line."""
        if id(code) not in self._watched:
            self._watched[id(code)] = (code, frozenset(line for _, line in findlinestarts(code)))
        whole = self._watched[id(code)][1]
        left, watching = set(whole), self._open

        def line(frame, event, arg):
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

    def __init__(self, root):
        self._recorder = Recorder(root)
        self._monitoring = sys.monitoring
        self._tool = next(tool for tool in (4, 3, 2) if sys.monitoring.get_tool(tool) is None)
        sys.monitoring.use_tool_id(self._tool, "repair probe")
        events = sys.monitoring.events
        sys.monitoring.register_callback(self._tool, events.PY_START, self._started)
        sys.monitoring.register_callback(self._tool, events.LINE, self._line)
        self._watched = {}  # by identity: equal code objects of two files compare equal
        self._on = False

    def start(self):
        """Begin."""
        self._on = True
        self._monitoring.set_events(self._tool, self._monitoring.events.PY_START)
        self._monitoring.restart_events()

    def stop(self):
        """End, and the lines."""
        self._on = False
        self._monitoring.set_events(self._tool, 0)
        return self._recorder.take()

    def _started(self, code, offset):
        if id(code) not in self._watched and self._recorder.seen_in(code.co_filename) is not None:
            self._watched[id(code)] = code
            self._monitoring.set_local_events(self._tool, code, self._monitoring.events.LINE)
        return self._monitoring.DISABLE

    def _line(self, code, line):
        if self._on:
            lines = self._recorder.seen_in(code.co_filename)
            if lines is not None:
                lines.add(line)
        return self._monitoring.DISABLE


def ranges_of(lines):
    """Sorted ``[first, last]`` pairs. Code that was made at run time may name lines that no file has."""
    ranges = []
    for line in sorted(line for line in lines if line and line > 0):
        if ranges and ranges[-1][1] == line - 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return ranges
