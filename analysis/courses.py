"""Courses of calls through a function's statements, and where a failing one parts from a passing one like it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from analysis.facts import FunctionId, TestId


@dataclass(frozen=True, slots=True)
class Glance:
    """A named value: its class (``empty str``, ``positive int``, ``Token``), and its text where that is short."""

    name: str
    kind: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class CourseStep:
    """One line of the file that ran, and the values that it changed."""

    line: int
    changed: tuple[Glance, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """One call in a test: what it was given, its steps in their order, and its end.

    ``ending`` is ``returned`` with class and text of the result, or ``raised`` with type and message. One that is
    ``cut`` has more steps than were kept.
    """

    test: TestId
    given: tuple[Glance, ...]
    steps: tuple[CourseStep, ...]
    ending: tuple[str, str, str]
    cut: bool = False

    @property
    def raised(self) -> bool:
        """Whether it ended with an exception."""
        return self.ending[0] == "raised"


@dataclass(frozen=True, slots=True)
class FollowQuery:
    """Which calls are followed: those of a failing test or, with ``like``, the passing ones nearest to these.

    ``tests`` are the failing ones: without ``like`` they alone are run, with it all others. ``seconds`` is what it may
    take of one core.
    """

    function: FunctionId
    tests: tuple[TestId, ...]
    like: tuple[Course, ...] = ()
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Followed:
    """The courses that were asked for; of a passing one ``of`` is the place of the failing call that it is near to."""

    courses: tuple[tuple[int, Course], ...] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class CallPair:
    """A failing call and the passing call nearest to it."""

    failing: Course
    passing: Course


def pair_up(failing: Followed, passing: Followed) -> CallPair | None:
    """The failing call that is told, with its neighbour; ``None`` where no passing call is known.

    One that a passing test makes just so is hardly the one at fault, so others are taken first.
    """
    known = dict(passing.courses)
    pairs = [CallPair(course, known[place]) for place, (_, course) in enumerate(failing.courses) if place in known]
    unlike = [pair for pair in pairs if pair.failing.given != pair.passing.given]
    return next(iter([*unlike, *pairs]), None)


@dataclass(frozen=True, slots=True)
class ValueParting:
    """Behind a statement a value is of another class; ``here`` is the failing call, ``None`` where it is not bound."""

    statement: str
    times: int
    here: Glance | None
    there: Glance | None


@dataclass(frozen=True, slots=True)
class FlowParting:
    """Behind a statement control goes elsewhere: the statement that is next, or empty for the end of the call."""

    statement: str
    times: int
    here: str
    there: str


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two courses part: names given of another class, the first value made so, and the first other way."""

    given: tuple[str, ...]
    value: ValueParting | None
    flow: FlowParting | None


def part(pair: CallPair, statement_at: Callable[[int], str]) -> Parting:
    """Where the calls of a pair part; ``statement_at`` names the statement that a line of the file belongs to."""
    here, there = _merge(pair.failing, statement_at), _merge(pair.passing, statement_at)
    mine, other = _by_name(pair.failing.given), _by_name(pair.passing.given)
    given = tuple(name for name in [*mine, *(n for n in other if n not in mine)] if _unlike(mine, other, name))
    known = {name for name in {*mine, *other} if _unlike(mine, other, name)}
    times: Counter[str] = Counter()
    value: ValueParting | None = None
    for place, (step, beside) in enumerate(zip(here, there, strict=False)):
        if step[0] != beside[0]:
            return Parting(
                given, value, FlowParting(_before(here, place), _times(times, here, place), step[0], beside[0])
            )
        times[step[0]] += 1
        mine.update(step[1])
        other.update(beside[1])
        fresh = [name for name in {**step[1], **beside[1]} if name not in known and _unlike(mine, other, name)]
        known.update(fresh)
        if fresh and value is None:
            value = ValueParting(step[0], times[step[0]], mine.get(fresh[0]), other.get(fresh[0]))
    place = min(len(here), len(there))
    if len(here) == len(there) or pair.failing.cut or pair.passing.cut:
        return Parting(given, value, None)
    ways = [steps[place][0] if place < len(steps) else "" for steps in (here, there)]
    return Parting(given, value, FlowParting(_before(here, place), _times(times, here, place), ways[0], ways[1]))


_Merged = list[tuple[str, dict[str, Glance]]]


def _merge(course: Course, statement_at: Callable[[int], str]) -> _Merged:
    """The statements one after the other; lines of one that follow each other are one step."""
    found: _Merged = []
    for step in course.steps:
        name, changed = statement_at(step.line), _by_name(step.changed)
        if found and found[-1][0] == name:
            found[-1][1].update(changed)
        elif name:
            found.append((name, changed))
    return found


def _before(steps: _Merged, place: int) -> str:
    return steps[place - 1][0] if place else ""


def _times(times: Mapping[str, int], steps: _Merged, place: int) -> int:
    return times[steps[place - 1][0]] if place else 0


def _by_name(glances: tuple[Glance, ...]) -> dict[str, Glance]:
    return {glance.name: glance for glance in glances}


def _unlike(mine: Mapping[str, Glance], other: Mapping[str, Glance], name: str) -> bool:
    """Whether the value is of another class, or bound in one of the two only."""
    here, there = mine.get(name), other.get(name)
    return (here.kind if here else "") != (there.kind if there else "")
