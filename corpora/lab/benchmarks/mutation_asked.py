"""What our side of the comparison with mutmut is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """What to run: one function's mutants, those of all functions of the file (no ``qualname``), or these texts.

    ``texts`` are pairs of a function's name and a text of it.
    """

    root: str
    python: str
    path: str
    qualname: str
    tests: tuple[str, ...]
    workers: int
    isolation: str
    texts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """The state of each mutant in order; what all of them cost, and what the whole process did."""

    states: tuple[str, ...]
    tests: int
    tier: str
    wall: float
    cpu: float
    whole_cpu: float
