"""What a change does that no failing test asks for: to whoever calls the function, and beyond what tests see."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.behaviour import Difference
from analysis.facts import TestId

LEAST_KEPT = 5
"""Inputs that reach the change, below which it is not said that nothing changes."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One changed function beside the old one, on the same inputs.

    - ``inputs`` were compared, ``touching`` of them reach the change. On ``changed`` of them callers get something
      else; ``bounded`` says that there may be more such inputs.
    - ``examples`` are a few unlike ones of these.
    - ``noticed_by_none`` are tests that make a changed call themselves, and pass either way.
    - ``lines`` statements are changed, and no test runs those that begin in the lines ``unrun``.
    - ``gap`` says why nothing, or not enough, could be compared.
    """

    inputs: int = 0
    touching: int = 0
    changed: int = 0
    bounded: bool = False
    examples: tuple[Difference, ...] = ()
    noticed_by_none: tuple[TestId, ...] = ()
    lines: int = 0
    unrun: tuple[int, ...] = ()
    gap: str = ""

    @property
    def kept(self) -> int:
        """Inputs on which callers get what they got."""
        return max(0, self.inputs - self.changed)

    @property
    def is_refactoring(self) -> bool:
        """Whether nothing differs, on enough inputs, and tests run each changed line; or no code differs at all."""
        told = not self.lines or (self.touching >= LEAST_KEPT and not self.unrun and not self.gap)
        return told and not self.changed
