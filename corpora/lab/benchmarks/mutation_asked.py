"""What our side of the comparison with mutmut is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """What to run: one function's mutants, or those of all public functions of the file (no ``qualname``)."""

    root: str
    python: str
    path: str
    qualname: str
    tests: tuple[str, ...]
    workers: int
    isolation: str


@dataclass(frozen=True, slots=True)
class Spent:
    """So many mutants, run in so many seconds of the wall clock and of processors, with what is done once for them."""

    mutants: int
    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Answered:
    """Of each mutant its function, its text in full lines, and its state; and what they cost.

    ``suite`` is what came before the ``first`` run of all mutants. ``one`` is a later run of one mutant of each
    function, ``every`` another of all of them. Both are the least of some turns, which took ``later`` seconds.
    """

    mutants: tuple[tuple[str, str, str], ...]
    tests: int
    reasons: tuple[str, ...]
    suite: Spent
    first: Spent
    one: Spent
    every: Spent
    later: float


def answered_from_json(values: dict[str, Any]) -> Answered:
    """The answer as it was before it was written down."""
    mutants = tuple((name, text, state) for name, text, state in values["mutants"])
    spent = {name: Spent(**values[name]) for name in ("suite", "first", "one", "every")}
    return Answered(mutants, values["tests"], tuple(values["reasons"]), later=values["later"], **spent)
