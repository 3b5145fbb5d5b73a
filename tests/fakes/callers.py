"""Who answers plain calls of a program's functions in this very process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.behaviour import Raised, Returned
from analysis.calls import CallInput, PlainAnswer
from analysis.facts import FunctionId


class Caller:
    """The part of a sandbox that calls functions apart from tests."""

    def __init__(self, source: str) -> None:
        self.space: dict[str, Any] = {}
        exec(source, self.space)

    def call_apart(self, function: FunctionId, calls: Sequence[CallInput], **_: object) -> tuple[PlainAnswer, ...]:
        return tuple(self._answer(function, given) for given in calls)

    def _answer(self, function: FunctionId, given: CallInput) -> PlainAnswer:
        args, named = given.values() or ((), {})
        try:
            value = repr(self.space[function.qualname](*args, **named))
        except Exception as problem:  # noqa: BLE001  whatever the program raises is its answer
            return PlainAnswer("raised", Raised(type(problem).__name__))
        return PlainAnswer(value, Returned(value))
