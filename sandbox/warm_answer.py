"""What the warm server says of one request, read as what it is: untrusted."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeGuard

from analysis.calls import CallInput, Calls, RecordedCall
from analysis.courses import Course, CourseStep, Followed, FollowQuery, Glance
from analysis.facts import TestId
from analysis.trials import Trial, TrialOutcome, TrialState

WARM, BATCH, ZYGOTE = "warm", "batch", "zygote"
"""Where an outcome comes from: a fork of its own, one shared with others, or one that imports the project anew."""

_STATES = {"timeout": TrialState.TIMEOUT, "crashed": TrialState.CRASHED, "flood": TrialState.FLOOD}
_STUCK = "still running after more processor time than it should need"
_MOST_NAMES, _MOST_MEMBERS, _LONGEST_NAME = 20, 80, 80
_OUT_OF_MEMORY = " in call: MemoryError"


class ServerAnswer(NamedTuple):
    """What the server said of one fork: how it ended, and the lines that it wrote (untrusted)."""

    state: str
    ending: str
    lines: tuple[dict[str, Any], ...] = ()

    def first(self, key: str) -> Any:
        """The value of the first line that has the key, else ``None``."""
        return next((line[key] for line in self.lines if key in line), None)

    @property
    def problem(self) -> Any:
        """What kept the tests from being run there, ``None`` where nothing did."""
        return self.ending if self.state == "gone" else self.first("invalid") or self.first("problem")


def answer_of(event: dict[str, Any]) -> ServerAnswer:
    """The answer that an event holds; what is no line is left out."""
    lines = event.get("lines")
    kept = tuple(line for line in lines if isinstance(line, dict)) if isinstance(lines, list) else ()
    return ServerAnswer(str(event.get("state")), str(event.get("ending")), kept)


def outcome_of(trial: Trial, answer: ServerAnswer, tier: str = WARM) -> TrialOutcome:
    """What a fork's answer says of its trial. Without a complete list of passed tests nothing has passed."""
    if answer.first("batch") is True:
        tier = BATCH
    if answer.state == "gone":
        return TrialOutcome(trial.digest, TrialState.INVALID, None, answer.ending, tier)
    if answer.state != "done":
        return TrialOutcome(trial.digest, _STATES.get(answer.state, TrialState.CRASHED), None, answer.ending, tier)
    if (invalid := answer.first("invalid")) is not None:
        return TrialOutcome(trial.digest, TrialState.INVALID, None, str(invalid), tier)
    if answer.first("stuck") is True:
        return TrialOutcome(trial.digest, TrialState.TIMEOUT, None, _STUCK, tier, hasty=True)
    if answer.first("passed") is True:
        return TrialOutcome(trial.digest, TrialState.PASSED, tier=tier)
    failed = answer.first("failed")
    test = TestId(failed) if isinstance(failed, str) else None
    detail = str(answer.first("detail") or answer.first("problem") or "not all tests were reported as passed")
    state = TrialState.MEMORY if _OUT_OF_MEMORY in detail[:40] else TrialState.FAILED
    return TrialOutcome(trial.digest, state, test, detail, tier)


def seen_of_tests(answer: ServerAnswer) -> tuple[str, list[tuple[str, str]]]:
    """What was seen of each test, and how the fork ended."""
    return answer.state, sorted((str(x.get("test")), str(x.get("seen"))) for x in answer.lines if "test" in x)


def calls_of(answer: ServerAnswer) -> Calls:
    """The recorded calls of an answer, in their order; what has another form is left out, or is not plain."""
    said = [line["call"] for line in answer.lines if "call" in line]
    seen: list[RecordedCall] = []
    for call in said:
        match call:
            case [test, args, kwargs, plain, members]:
                given = CallInput(str(args), str(kwargs))
                known = plain is True and given.values() is not None
                seen.append(RecordedCall(TestId(str(test)), given, known, _members(members)))
    whole = answer.state == "done" and answer.first("whole") is True and len(seen) == len(said)
    again = tuple(_made_again([line["alike"] for line in answer.lines if "alike" in line][:_MOST_ALIKE], seen))
    return Calls(tuple(seen), whole, again if len(seen) == len(said) else ())


_MOST_ALIKE = 2000
"""Lines about further tests of a call that are read."""


def _made_again(said: Sequence[object], seen: Sequence[RecordedCall]) -> Iterator[tuple[TestId, CallInput]]:
    """Plain calls that further tests made, each told by its number; what has another form is left out."""
    for each in said:
        match each:
            case [str(test), int(number)] if number is not True and 0 <= number < len(seen) and seen[number].plain:
                yield TestId(test), seen[number].input


def _members(said: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What arguments have, as the process says; what is no such name is left out."""
    pairs = [each for each in said if isinstance(each, list) and len(each) == 2] if isinstance(said, list) else []
    known = [(name, names) for name, names in pairs if _is_member(name) and isinstance(names, list)]
    return tuple((n, tuple(x for x in names[:_MOST_MEMBERS] if _is_member(x))) for n, names in known[:_MOST_NAMES])


def _is_member(said: object) -> TypeGuard[str]:
    name = said.removesuffix("()") if isinstance(said, str) else ""
    return len(name) <= _LONGEST_NAME and name.isidentifier() and not keyword.iskeyword(name)


def spread_calls(calls: Sequence[RecordedCall], most: int) -> tuple[RecordedCall, ...]:
    """Up to ``most`` of the calls: the first of each test, then the second of each, and so on; none twice."""
    turns: list[tuple[int, int]] = []
    seen: dict[TestId, int] = {}
    known: set[CallInput] = set()
    for place, call in enumerate(calls):
        if not call.plain or call.input not in known:
            known.add(call.input)
            seen[call.test] = seen.get(call.test, 0) + 1
            turns.append((seen[call.test], place))
    return tuple(calls[place] for place in sorted(place for _, place in sorted(turns)[:most]))


_MOST_COURSES, _MOST_STEPS, _MOST_VALUES = 8, 400, 80
_LONGEST_KIND, _LONGEST_TEXT = 90, 200
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
    return Course(TestId(test), given, kept, (word, kind[:_LONGEST_KIND], text[:_LONGEST_TEXT]), cut)


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
        found.append(Glance(name[:_LONGEST_KIND], kind[:_LONGEST_KIND], text[:_LONGEST_TEXT]))
    return tuple(found)
