"""An edit without some of its parts: the smaller edits that it holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import libcst as cst

from transforms.patch.difference import covers, region
from transforms.patch.minimize import made_of
from transforms.patch.renaming import under_old_names
from transforms.patch.small_edits import Atom, Inner, Plan, atoms_of, plan_of
from transforms.tree.node_path import NodePath, walk
from transforms.tree.scope import EditScope
from transforms.tree.shape import changed_nodes


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
    """The parts of an edit, independent of each other as far as the syntax goes. Another name of a local is none."""
    node = under_old_names(old.node, new.node)
    plan = plan_of(old.node, node)
    return Parts(atoms_of(plan), old, plan, changed_nodes(old.node, node))


def only_in(new: EditScope, without: EditScope, old: EditScope) -> tuple[NodePath, ...]:
    """What the parts bring that the new function has more than ``without``, an edit of the old one by the others.

    A path leads to a whole statement or head where it holds nothing of the other parts, else to the part alone.
    """
    more, every = _brought(without.node, new.node), _brought(old.node, new.node)
    if more is None or every is None:
        return ()
    others = [path for path in every if not covers(more, path)]
    found: list[NodePath] = []
    for path in region(without.node, new.node).new:
        is_shared = any(covers([path], other) or covers([other], path) for other in others)
        found += [each for each in more if covers([path], each)] if is_shared else [path]
    return tuple(found)


def _brought(old: cst.FunctionDef, new: cst.FunctionDef) -> list[NodePath] | None:
    """Where the nodes of an edit's parts stand in the new function; ``None`` where one had to be put in parentheses."""
    node = under_old_names(old, new)
    wanted = {id(each) for atom in _atoms(plan_of(old, node)) for each in atom.new}
    found = [path for path, each in walk(node) if id(each) in wanted]
    return found if len(found) == len(wanted) else None


def _atoms(plan: Plan) -> Iterator[Atom]:
    match plan:
        case Atom():
            yield plan
        case Inner(_, parts):
            yield from (atom for _, plans in parts for each in plans for atom in _atoms(each))
