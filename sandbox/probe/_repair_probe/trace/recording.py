"""Values of names at chosen lines, and arguments and results of chosen functions, while tests run; all bounded."""

from __future__ import annotations

import dis
import os
import sys
import threading

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.pictures import excerpt, literal, picture

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import CodeType, FrameType

    from _repair_probe.ground.words import Fields, Monitoring, Trace, Value

    Point = tuple[str, int, str, list[str]]
    Described = list[str | bool]
    Seen = list[int | list[Described]]

MOST = 200
"""Records of one point in the whole session."""
_SHARE = 10  # distinct records of one point in one test
_LOOKS = 200  # visits of one point in one test, equal ones included
_MOST_NAMES = 20
_MOST_TEXT = 300
_RETURNS = {dis.opmap.get(name) for name in ("RETURN_VALUE", "RETURN_CONST")}
_RESUME = dis.opmap.get("RESUME")


def recorder(request: Fields) -> NoRecorder | MonitoringRecorder | SettraceRecorder:
    """The recorder of the request's points, by the best means of this interpreter."""
    if not request.get("points"):
        return NoRecorder()
    book = Book(request["root"], request["points"])
    return MonitoringRecorder(book) if hasattr(sys, "monitoring") else SettraceRecorder(book)


class NoRecorder:
    """Records nothing."""

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """No records."""


class Book:
    """The points by file and line, and what was seen there in the running test."""

    _found: list[Seen]
    _looks: dict[int, int]
    _seen: dict[int, set[str]]
    _busy: bool

    def __init__(self, root: str, points: list[Point]) -> None:
        self.files: dict[str, dict[tuple[str, int], list[int]]] = {}
        self._names = [names for _, _, _, names in points]
        self._counts = [0] * len(points)
        for index, (path, line, kind, _) in enumerate(points):
            places = self.files.setdefault(os.path.join(root, path), {})
            places.setdefault((kind, line), []).append(index)
        self.turn()

    def turn(self) -> list[Seen]:
        """Begin a new test; gives the records of the last one."""
        found, self._found = getattr(self, "_found", []), []
        self._looks, self._seen, self._busy = {}, {}, False
        return found

    def points_at(self, code: CodeType, kind: str, line: int) -> list[int]:
        """The points there that want more."""
        places = self.files.get(code.co_filename)
        return [i for i in places.get((kind, line), ()) if self._wants(i)] if places else []

    def kinds_of(self, code: CodeType) -> set[str]:
        """Kinds of points that the code object may have: lines in it, its entry and its return."""
        places = self.files.get(code.co_filename)
        if not places:
            return set()
        lines = {line for _, line in dis.findlinestarts(code)}
        own = {kind for kind, line in places if kind != "line" and line == code.co_firstlineno}
        return own | {kind for kind, line in places if kind == "line" and line in lines}

    def _wants(self, index: int) -> bool:
        return (
            self._counts[index] < MOST
            and len(self._seen.get(index, ())) < _SHARE
            and self._looks.get(index, 0) < _LOOKS
        )

    def note(self, points: Iterable[int], frame: FrameType, result: tuple[Value, ...] = ()) -> None:
        """Write down the values that the points ask for. ``result`` holds what the function returns."""
        if self._busy:
            return
        self._busy = True
        try:
            for index in points:
                self._look(index, frame, result)
        finally:
            self._busy = False

    def _look(self, index: int, frame: FrameType, result: tuple[Value, ...]) -> None:
        self._looks[index] = self._looks.get(index, 0) + 1
        shown = [describe_value("return", value) for value in result] or _named_values(frame, self._names[index])
        seen = self._seen.setdefault(index, set())
        key = repr(shown)
        if key not in seen and self._wants(index):
            seen.add(key)
            self._counts[index] += 1
            self._found.append([index, shown])


def _named_values(frame: FrameType, names: Sequence[str]) -> list[Described]:
    """The named values; without names the parameters of the frame's function."""
    code, known = frame.f_code, frame.f_locals
    if not names:
        more = bool(code.co_flags & 4) + bool(code.co_flags & 8)
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + more]
    found = []
    for name in names[:_MOST_NAMES]:
        if name in known:
            found.append(describe_value(name, known[name]))
        elif name in frame.f_globals:
            found.append(describe_value(name, frame.f_globals[name]))
    return found


def describe_value(name: str, value: Value) -> Described:
    """Name, type, text, and whether the text is a literal. A value that resists being looked at has an empty text."""
    kind = type(value)
    try:
        named = "%s.%s" % (type.__getattribute__(kind, "__module__"), type.__getattribute__(kind, "__qualname__"))
    except BaseException:  # a metaclass of the target may raise anything
        named = "?"
    try:
        text = literal(value)
        if text is not None and len(text) <= _MOST_TEXT:
            return [name, named, text, True]
        return [name, named, excerpt(picture(value), _MOST_TEXT), False]
    except BaseException:  # so may the value's own methods
        return [name, named, "", False]


class MonitoringRecorder:
    """By ``sys.monitoring``: only code objects that have points report anything."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._monitoring: Monitoring = sys.monitoring  # type: ignore[attr-defined]  # since Python 3.12
        self._tool = next(tool for tool in (4, 3, 2) if self._monitoring.get_tool(tool) is None)
        self._watched: dict[int, tuple[CodeType, set[str]]] = {}
        self._on = False
        self._monitoring.use_tool_id(self._tool, "repair probe")
        events = self._monitoring.events
        for event, react in (
            (events.PY_START, self._started),
            (events.LINE, self._line),
            (events.PY_RETURN, self._returned),
        ):
            self._monitoring.register_callback(self._tool, event, react)

    def start(self) -> None:
        """Begin."""
        self._book.turn()
        self._on = True
        self._monitoring.set_events(self._tool, self._monitoring.events.PY_START)
        self._monitoring.restart_events()

    def stop(self) -> list[Seen]:
        """End, and the records."""
        self._on = False
        self._monitoring.set_events(self._tool, 0)
        return self._book.turn()

    def _started(self, code: CodeType, offset: int) -> object:
        if id(code) not in self._watched:
            kinds = self._book.kinds_of(code)
            self._watched[id(code)] = (code, kinds)  # keeps it, so that the identity stays its own
            events = self._monitoring.events
            local = events.LINE * ("line" in kinds) | events.PY_RETURN * ("return" in kinds)
            if local:
                self._monitoring.set_local_events(self._tool, code, local)
        if "entry" not in self._watched[id(code)][1]:
            return self._monitoring.DISABLE
        return self._note(code, "entry", code.co_firstlineno)

    def _line(self, code: CodeType, line: int) -> object:
        return self._note(code, "line", line)

    def _returned(self, code: CodeType, offset: int, result: Value) -> object:
        return self._note(code, "return", code.co_firstlineno, (result,))

    def _note(self, code: CodeType, kind: str, line: int, result: tuple[Value, ...] = ()) -> object:
        points = self._book.points_at(code, kind, line) if self._on else ()
        if not points:
            return self._monitoring.DISABLE
        self._book.note(points, sys._getframe(2), result)
        return None


class SettraceRecorder:
    """By a trace function, which looks only into code objects that have points."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._kinds: dict[int, tuple[CodeType, set[str]]] = {}
        self._before: Trace | None = None

    def start(self) -> None:
        """Begin."""
        self._book.turn()
        self._before = sys.gettrace()
        threading.settrace(self._call)
        sys.settrace(self._call)

    def stop(self) -> list[Seen]:
        """End, and the records."""
        sys.settrace(self._before)
        threading.settrace(self._before)
        return self._book.turn()

    def _call(self, frame: FrameType, event: str, arg: object) -> Trace | None:
        code = frame.f_code
        if code.co_filename not in self._book.files:
            return None
        if id(code) not in self._kinds:
            self._kinds[id(code)] = (code, self._book.kinds_of(code))
        kinds = self._kinds[id(code)][1]
        if "entry" in kinds and _begins(frame):
            self._note(frame, "entry", code.co_firstlineno)
        return self._inside if kinds & {"line", "return"} else None

    def _inside(self, frame: FrameType, event: str, arg: object) -> Trace | None:
        code = frame.f_code
        if event == "line":
            self._note(frame, "line", frame.f_lineno)
        elif event == "return" and code.co_code[frame.f_lasti] in _RETURNS:  # not a yield, nor an exception
            self._note(frame, "return", code.co_firstlineno, (arg,))
        return self._inside

    def _note(self, frame: FrameType, kind: str, line: int, result: tuple[Value, ...] = ()) -> None:
        points = self._book.points_at(frame.f_code, kind, line)
        if points:
            self._book.note(points, frame, result)


def _begins(frame: FrameType) -> bool:
    """Whether a call event is a call, and not the next turn of a generator."""
    if _RESUME is None:
        return frame.f_lasti < 0
    code = frame.f_code.co_code
    return code[frame.f_lasti] == _RESUME and code[frame.f_lasti + 1] == 0
