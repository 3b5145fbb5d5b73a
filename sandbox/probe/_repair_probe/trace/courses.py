"""The courses of calls of one function: which lines ran one after the other, and what each of them changed."""

from __future__ import annotations

import sys

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.glances import glance, glances

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

    from _repair_probe.ground.words import Fields, Trace, Value
    from _repair_probe.values.glances import Glances

_MOST_CALLS = 40
"""Calls of the function whose courses are kept in one test."""

_MOST_STEPS = 250
"""Lines of one call that are kept; what follows is cut."""

_MOST_MESSAGE = 120


class WatchedCall:
    """One call: what it was given, its steps as lines with what each changed, and how it ended.

    ``ending`` is ``("returned", class, text)`` or ``("raised", type, message)``; empty while the call goes on.
    ``depth`` counts the calls of the same function around it.
    """

    __slots__ = ("cut", "depth", "ending", "given", "now", "number", "steps")

    steps: list[tuple[int, Glances]]

    def __init__(self, given: Glances, depth: int) -> None:
        self.given, self.now, self.depth = given, given, depth
        self.steps = []
        self.ending = ("", "", "")
        self.number = 0
        self.cut = False

    @property
    def raised(self) -> bool:
        """Whether an exception came out of it."""
        return self.ending[0] == "raised"

    def change(self, now: Glances) -> None:
        """The last line has run: what it changed is written down with it."""
        if self.steps:
            changed = {name: seen for name, seen in now.items() if self.now.get(name) != seen}
            self.steps[-1][1].update(changed)
        self.now = now

    def fields(self) -> Fields:
        """The course as a line of a report tells it."""
        steps = [[line, _pairs(changed)] for line, changed in self.steps]
        return {"given": _pairs(self.given), "steps": steps, "ending": [*self.ending], "cut": self.cut}


def _pairs(told: Glances) -> list[list[str]]:
    return [[name, kind, text] for name, (kind, text) in told.items()]


class CourseRecorder:
    """Watches the calls whose code ``is_own`` says yes to, in this thread; ``owner`` is the name of the instance."""

    courses: list[WatchedCall]
    _open: dict[FrameType, WatchedCall]
    _raising: dict[FrameType, tuple[str, str]]

    def __init__(self, is_own: Callable[[CodeType], bool], owner: str) -> None:
        self._is_own, self._owner = is_own, owner
        self._known: dict[int, tuple[CodeType, bool]] = {}
        self.begin()

    def begin(self) -> None:
        """Forget what was seen."""
        self.courses, self._open, self._raising = [], {}, {}
        self._ended = 0

    def __enter__(self) -> CourseRecorder:
        self.begin()
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        self._open, self._raising = {}, {}

    def _call(self, frame: FrameType, _event: str, _arg: object) -> Trace | None:
        code = frame.f_code
        known = self._known.get(id(code))
        if known is None or known[0] is not code:
            known = self._known[id(code)] = code, self._is_own(code)
        if not known[1]:
            return None
        if frame in self._open:  # a generator goes on
            return self._local
        if len(self.courses) >= _MOST_CALLS:
            self.courses.pop(0)  # the last calls are those near a failure
        course = WatchedCall(self._glances(frame), len(self._open))
        self.courses.append(course)
        self._open[frame] = course
        return self._local

    def _local(self, frame: FrameType, event: str, arg: Value) -> Trace | None:
        course = self._open.get(frame)
        if course is None:
            return None
        if event == "line":
            self._raising.pop(frame, None)
            if len(course.steps) >= _MOST_STEPS:
                course.cut, frame.f_trace_lines = True, False
                return self._local
            course.change(self._glances(frame))
            course.steps.append((frame.f_lineno, {}))
        elif event == "exception":
            self._raising[frame] = arg[0].__name__[:_MOST_MESSAGE], _message(arg[1])
        elif event == "return":
            if not course.cut:
                course.change(self._glances(frame))
            self._end(frame, course, arg)
        return self._local

    def _end(self, frame: FrameType, course: WatchedCall, value: Value) -> None:
        raised = self._raising.pop(frame, None) if value is None else None
        course.ending = ("raised", *raised) if raised else ("returned", *glance(value))
        self._ended += 1
        course.number = self._ended
        if not frame.f_code.co_flags & _RESUMED:
            del self._open[frame]

    def _glances(self, frame: FrameType) -> Glances:
        return glances(frame.f_locals, self._owner)

    def failing(self, most: int) -> list[WatchedCall]:
        """The calls that may be at fault where a test fails, the likeliest first.

        That is the one from which an exception came, else the last ones that the function did not make itself.
        """
        ended = sorted((course for course in self.courses if course.number), key=lambda course: -course.number)
        raised = []
        for course in ended:
            if not course.raised:
                break
            raised.append(course)
        outer = [course for course in ended if not course.depth]
        first = raised[-1:]
        return (first + [course for course in outer if course not in first])[:most]


_RESUMED = 0x20 | 0x80 | 0x200
"""Flags of generators, coroutines and both in one: they return whenever they give something."""


def _message(problem: object) -> str:
    """The message of an exception that holds one text; nothing of the target is run for it."""
    arguments = getattr(problem, "args", ()) if isinstance(problem, BaseException) else ()
    first = arguments[0] if type(arguments) is tuple and arguments else ""
    return first[:_MOST_MESSAGE] if type(first) is str else ""
