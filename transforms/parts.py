"""An edit without some of its parts: the smaller edits that it holds."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from transforms.atoms import Plan, atoms_of, plan_of
from transforms.minimize import made_of
from transforms.scope import EditScope
from transforms.shape import changed_nodes


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the edit that leads from one function to another, each by its number."""

    numbers: tuple[int, ...]
    _old: EditScope
    _plan: Plan
    _limit: int

    def without(self, numbers: Collection[int]) -> bytes | None:
        """The function with all other parts made; ``None`` where these make no function, or no change at all."""
        chosen = [number for number in self.numbers if number not in numbers]
        return made_of(self._old, self._plan, chosen, self._limit) if chosen else None


def parts_of(old: EditScope, new: EditScope) -> Parts:
    """The parts of an edit, independent of each other as far as the syntax goes."""
    plan = plan_of(old.node, new.node)
    return Parts(atoms_of(plan), old, plan, changed_nodes(old.node, new.node))
