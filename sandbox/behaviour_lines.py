"""Behaviours, calls and differences read from lines of a report: strangers' words, taken apart strictly.

What is misshapen is ``None``: nothing is known of it.
"""

from __future__ import annotations

from typing import Any

from analysis.behaviour import (
    Behaviour,
    Call,
    CallOrigin,
    CallResult,
    Difference,
    Ended,
    EndingKind,
    EndOfTest,
    EndsOfTest,
    Hung,
    Raised,
    Returned,
)
from analysis.calls import CallInput, PlainAnswer
from analysis.facts import TestId

_LONGEST = 1e6
"""Seconds that a call may be said to have taken."""

_ORIGINS = {origin.value: origin for origin in CallOrigin}
_ENDINGS = {ending.value: ending for ending in EndingKind}


def behaviour_of(told: object) -> Behaviour | None:
    """What a call did."""
    match told:
        case {
            "kind": "returned",
            "value": str(value),
            "whole": bool(whole),
            "left": str(left),
            "incidental": bool(incidental),
        }:
            return Returned(value, whole, left, incidental)
        case {
            "kind": "raised",
            "type": str(name),
            "message": str(message),
            "whole": bool(whole),
            "left": str(left),
            "incidental": bool(incidental),
        }:
            return Raised(name, message, whole, left, incidental)
        case {"kind": "hung", "seconds": float(seconds) | int(seconds)} if 0 <= seconds <= _LONGEST:
            return Hung(seconds)
        case {"kind": "ended", "how": str(how)}:
            return Ended(how)
    return None


def call_of(told: object) -> Call | None:
    """The call that was made."""
    match told:
        case {
            "name": str(name),
            "arguments": str(arguments),
            "context": str(context),
            "origin": str(origin),
            "test": str(test),
            **more,
        } if origin in _ORIGINS:
            exact, instance = (text if isinstance(text := more.get(key), str) else "" for key in ("exact", "instance"))
            made_by = TestId(test) if test else None
            return Call(name, arguments, context, _ORIGINS[origin], made_by, exact, instance)
    return None


def result_of(line: dict[str, Any]) -> CallResult | None:
    """A call and what the candidate does with it."""
    call, mine = call_of(line.get("call")), behaviour_of(line.get("mine"))
    return CallResult(call, mine) if call is not None and mine is not None else None


def difference_of(line: dict[str, Any]) -> Difference | None:
    """A call, and what the candidate and another program do with it."""
    seen, other = result_of(line), behaviour_of(line.get("other"))
    if seen is None or other is None:
        return None
    return Difference(
        seen.call,
        seen.mine,
        other,
        line.get("reached") is not False,
        behaviour_of(line.get("old")),
        line.get("ordinary") is not False,
    )


def ends_of(line: dict[str, Any]) -> EndsOfTest | None:
    """How a test ends under the candidate, and where another program goes on with it."""
    mine, other = _end_of(line.get("mine")), _end_of(line.get("other"))
    return EndsOfTest(mine, other) if mine is not None and other is not None else None


def _end_of(told: object) -> EndOfTest | None:
    match told:
        case {"kind": str(kind), "how": str(how), "line": int(line), "source": str(source)} if kind in _ENDINGS:
            return EndOfTest(_ENDINGS[kind], how, line, source)
    return None


def plain_answer_of(told: object) -> PlainAnswer | None:
    """What a call gave, with its digest."""
    match told:
        case [str(digest), dict() as said] if (behaviour := behaviour_of(said)) is not None:
            return PlainAnswer(digest, behaviour)
    return None


def plain_input_of(told: object) -> CallInput | None:
    """The arguments of a call, where they are literals indeed."""
    match told:
        case [str(args), str(kwargs)] if (given := CallInput(args, kwargs)).values() is not None:
            return given
    return None
