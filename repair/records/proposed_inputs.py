"""Calls that somebody proposes for a function whose body is hidden, and who is asked for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from analysis.calls import CallInput
from analysis.facts import Files, FunctionId


@dataclass(frozen=True, slots=True)
class ProposedInputs:
    """Plain calls of a function, names of functions that should undo it, and why there is nothing."""

    inputs: tuple[CallInput, ...] = ()
    undone_by: tuple[str, ...] = ()
    problem: str = ""


class InputProposer(Protocol):
    """Proposes calls of one function after the other."""

    def propose(self, function: FunctionId, sources: Files, seconds_left: Callable[[], float]) -> ProposedInputs:
        """The calls; none, and why, where it cannot."""

    def report(self) -> tuple[str, ...]:
        """What it was asked so far and what that took, in words."""


class NoInputs:
    """Where nobody is named: proposes nothing."""

    def propose(self, function: FunctionId, sources: Files, seconds_left: Callable[[], float]) -> ProposedInputs:
        """Nothing."""
        return ProposedInputs()

    def report(self) -> tuple[str, ...]:
        """Nothing."""
        return ()
