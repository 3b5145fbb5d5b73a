"""Exception chains and stacks as plain values. No code of the target is called but ``str`` of an exception."""

from __future__ import annotations

import linecache
import os
from itertools import islice

from _repair_probe.ground.paths import is_within
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.plain import plain_source

if TYPE_CHECKING:
    from types import CodeType, FrameType, TracebackType

    from _repair_probe.ground.words import Fields

    Entry = tuple[FrameType, int, int]
    Positions = tuple[int | None, int | None, int | None, int | None]

_MOST_MESSAGE = 2000
_MOST_LINKS = 12
_FIRST_FRAMES, _LAST_FRAMES = 30, 60
_FRAMES_WITH_LOCALS = 4
_MOST_LOCALS = 40


class Describer:
    """Describes exceptions relative to the copy's root; messages name the original's."""

    def __init__(self, root: str, original: str) -> None:
        self._root = root
        self._original = original

    def text_outside(self, text: str) -> str:
        """The text as the user would have seen it, without the copy's path."""
        return text.replace(self._root, self._original)

    def relative_path(self, path: str) -> str:
        """A path within the project relative to its root, others as they are."""
        return os.path.relpath(path, self._root).replace(os.sep, "/") if is_within(path, self._root) else path

    def chain(self, error: BaseException, traceback: TracebackType | None) -> list[Fields]:
        """The exception, then what it came from: causes, contexts that are not suppressed, members of groups."""
        found: list[Fields] = []
        seen: set[int] = set()
        self._follow(error, traceback, "", found, seen)
        return found

    def _follow(
        self,
        error: BaseException | None,
        traceback: TracebackType | None,
        link: str,
        found: list[Fields],
        seen: set[int],
    ) -> None:
        error, traceback = _within_doctest(error, traceback)
        while error is not None and id(error) not in seen and len(found) < _MOST_LINKS:
            seen.add(id(error))
            found.append(self._one(error, traceback, link))
            for member in _members(error):
                self._follow(member, member.__traceback__, "group", found, seen)
            if error.__cause__ is not None:
                error, link = error.__cause__, "cause"
            elif error.__context__ is not None and not error.__suppress_context__:
                error, link = error.__context__, "context"
            else:
                return
            traceback = error.__traceback__

    def _one(self, error: BaseException, traceback: TracebackType | None, link: str) -> Fields:
        kind = type(error)
        entries = []
        while traceback is not None:
            entries.append((traceback.tb_frame, traceback.tb_lineno, traceback.tb_lasti))
            traceback = traceback.tb_next
        return {
            "type": _name(kind),
            "bases": [_name(base) for base in kind.__mro__[:20]],
            "message": self.text_outside(_message(error)),
            "frames": self._frames(entries),
            "link": link,
        }

    def stack(self, frame: FrameType | None) -> list[Fields]:
        """The running stack, outermost call first."""
        entries = []
        while frame is not None:
            entries.append((frame, frame.f_lineno, frame.f_lasti))
            frame = frame.f_back
        return self._frames(entries[::-1])

    def _frames(self, entries: list[Entry]) -> list[Fields]:
        first = next((i for i, (f, _, _) in enumerate(entries) if is_within(f.f_code.co_filename, self._root)), 0)
        entries = entries[first:]  # what stands before is the runner
        if len(entries) > _FIRST_FRAMES + _LAST_FRAMES:  # endless recursion: the ends tell all
            entries = entries[:_FIRST_FRAMES] + entries[-_LAST_FRAMES:]
        frames = [self._frame(*entry) for entry in entries]
        left = _FRAMES_WITH_LOCALS
        for (frame, _, _), described in zip(reversed(entries), reversed(frames)):
            if left and described["in_project"]:
                described["locals"] = _locals(frame)
                left -= 1
        return frames

    def _frame(self, frame: FrameType, line: int, lasti: int) -> Fields:
        code = frame.f_code
        path = code.co_filename
        in_project = is_within(path, self._root)
        start, end, column, end_column = _positions(code, lasti) if in_project else (None, None, None, None)
        if start != line:  # the traceback's line is the truth; positions of another line are no help
            end = column = end_column = None
        return {
            "path": self.relative_path(path),
            "in_project": in_project,
            "line": line or 0,
            "end_line": end,
            "column": _characters(path, start, column),
            "end_column": _characters(path, end, end_column),
            "qualname": getattr(code, "co_qualname", code.co_name),
            "name": code.co_name,
            "first_line": code.co_firstlineno,
            "locals": [],
        }


def _within_doctest(
    error: BaseException | None, traceback: TracebackType | None
) -> tuple[BaseException | None, TracebackType | None]:
    """What an example of a doctest raised, out of what doctest and pytest put round it; all else as it is."""
    if _name(type(error)) == "_pytest.doctest.MultipleDoctestFailures":
        failures = getattr(error, "failures", ())
        error = failures[0] if isinstance(failures, (list, tuple)) and failures else error
        traceback = error.__traceback__ if error is not None else None
    if _name(type(error)) == "doctest.UnexpectedException":
        _, raised, place = getattr(error, "exc_info", (None, None, None))
        return (raised, place) if isinstance(raised, BaseException) else (error, traceback)
    return error, traceback


def _members(error: BaseException) -> list[BaseException]:
    members = getattr(error, "exceptions", None)
    group = any(base.__name__ == "BaseExceptionGroup" for base in type(error).__mro__)
    return [m for m in members if isinstance(m, BaseException)] if group and isinstance(members, tuple) else []


def _name(kind: type) -> str:
    module = getattr(kind, "__module__", "")
    return kind.__qualname__ if module == "builtins" else "%s.%s" % (module, kind.__qualname__)


def _message(error: BaseException) -> str:
    try:
        return str(error)[:_MOST_MESSAGE]
    except Exception as problem:  # the target's own ``__str__``
        return "<str() of this exception raised %s>" % type(problem).__name__


def _positions(code: CodeType, lasti: int) -> Positions:
    if lasti < 0 or not hasattr(code, "co_positions"):
        return (None, None, None, None)
    return next(islice(code.co_positions(), lasti // 2, None), (None, None, None, None))


def _characters(path: str, line: int | None, column: int | None) -> int | None:
    """Columns come as offsets into the UTF-8 of the line; characters are what editors and trees count."""
    if line is None or column is None:
        return None
    text = linecache.getline(path, line)
    return len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))


def _locals(frame: FrameType) -> list[list[str | None]]:
    try:
        items = list(frame.f_locals.items())
    except Exception:  # a class body may run in any mapping
        return []
    kept = [(name, value) for name, value in items if isinstance(name, str) and not name.startswith("@")]
    return [[name, _name(type(value)), plain_source(value)] for name, value in kept[:_MOST_LOCALS]]
