"""What a warm server says of the courses of calls, read as what it is: untrusted, and bounded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analysis.courses import Course, CourseStep, Followed, FollowQuery, Glance
from analysis.facts import TestId

_MOST_COURSES, _MOST_STEPS, _MOST_VALUES = 8, 400, 80
_LONGEST_NAME, _LONGEST_TEXT = 90, 200
_GRACE, _PATIENCE = 3.0, 8.0
"""Seconds, and times what the server may work, for which its answer is waited for."""


def follow_request(ask: FollowQuery) -> dict[str, object]:
    """What a server is told."""
    return {
        "only": list(ask.tests),
        "like": [[_told(course.given), course.raised] for course in ask.like],
        "working_seconds": ask.seconds,
        "seconds": _PATIENCE * ask.seconds + _GRACE,
    }


def _told(given: tuple[Glance, ...]) -> list[list[str]]:
    return [[each.name, each.kind, each.text] for each in given]


def followed_of(ask: FollowQuery, state: str, ending: str, lines: Iterable[dict[str, Any]]) -> Followed:
    """What the lines of one fork say; what has another form is left out."""
    found: dict[int, Course] = {}
    said = "" if state == "done" else f"it ended early: {ending}"
    for line in lines:
        course, test = _course_of(line.get("course"), line.get("test")), line.get("test")
        if course is not None and len(found) < _MOST_COURSES:
            place = line.get("of") if ask.like else len(found)
            if (
                isinstance(place, int)
                and (not ask.like or 0 <= place < len(ask.like))
                and (test in ask.tests) != bool(ask.like)
            ):
                found.setdefault(place, course)
        problem = line.get("problem") or line.get("invalid")
        said = said or (str(problem)[:300] if problem else "")
    return Followed(tuple(sorted(found.items(), key=lambda each: each[0])), said)


def _course_of(told: object, test: object) -> Course | None:
    if not (isinstance(told, dict) and isinstance(test, str)):
        return None
    given, steps, ending = _glances(told.get("given")), told.get("steps"), told.get("ending")
    if given is None or not isinstance(steps, list) or not isinstance(ending, list):
        return None
    read = [_step(each) for each in steps[:_MOST_STEPS]]
    kept = tuple(step for step in read if step is not None)
    if len(kept) != len(read) or len(ending) != 3 or not all(isinstance(each, str) for each in ending):
        return None
    word, kind, text = ending
    if word not in ("returned", "raised"):
        return None
    cut = told.get("cut") is True or len(steps) > _MOST_STEPS
    return Course(TestId(test), given, kept, (word, kind[:_LONGEST_NAME], text[:_LONGEST_TEXT]), cut)


def _step(told: object) -> CourseStep | None:
    if not (isinstance(told, list) and len(told) == 2 and type(told[0]) is int):
        return None
    changed = _glances(told[1])
    return None if changed is None else CourseStep(told[0], changed)


def _glances(told: object) -> tuple[Glance, ...] | None:
    if not isinstance(told, list):
        return None
    found = []
    for each in told[:_MOST_VALUES]:
        if not (isinstance(each, list) and len(each) == 3 and all(isinstance(part, str) for part in each)):
            return None
        name, kind, text = each
        found.append(Glance(name[:_LONGEST_NAME], kind[:_LONGEST_NAME], text[:_LONGEST_TEXT]))
    return tuple(found)
