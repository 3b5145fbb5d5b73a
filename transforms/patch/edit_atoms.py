"""An edit as replacements that are as small as they can be, each of which can be made without the others.

Parts of several edits of one function are united where none of them changes what lies in another. PatchFusion (2026)
unites the atoms of a fixed pool of patches in this way, without running them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import libcst as cst

from transforms.patch.small_edits import Atom, Inner, Kept, Plan, build, plan_of
from transforms.tree.node_path import NodePath
from transforms.tree.proposal import Replacement

_EVERY = frozenset(range(10_000))
"""All atoms of a plan: an edit of one function never has so many."""


def edit_atoms(old: cst.FunctionDef, new: cst.FunctionDef) -> tuple[Replacement, ...]:
    """The replacements that lead from one function to the other; none where only their layout differs."""
    return tuple(_replacements(plan_of(old, new), ()))


def atom_key(atom: Replacement) -> tuple[NodePath, str]:
    """What two atoms have in common that are the same edit."""
    return atom.at, "\n".join(cst.Module([]).code_for_node(node).strip() for node in atom.nodes)


def unite(edits: Iterable[Sequence[Replacement]]) -> tuple[Replacement, ...] | None:
    """All atoms of these edits, each once; ``None`` where two of them change the same place in different ways."""
    united = {atom_key(atom): atom for edit in edits for atom in edit}
    paths = sorted((at for at, _ in united), key=lambda at: [(isinstance(step, str), str(step)) for step in at])
    for number, one in enumerate(paths):
        if any(other[: len(one)] == one or one[: len(other)] == other for other in paths[number + 1 :]):
            return None
    return tuple(united.values())


def _replacements(plan: Plan, at: NodePath) -> Iterator[Replacement]:
    """The plan of the one node at the path as replacements."""
    match plan:
        case Atom(_, _, new):
            yield Replacement(at, new)
        case Inner(node, fields):
            values = [(name, getattr(node, name), plans) for name, plans in fields]
            if any(not isinstance(value, (cst.CSTNode, tuple, list)) or _is_gone(plans) for _, value, plans in values):
                yield Replacement(at, build(plan, _EVERY))  # a part comes or goes that has no place of its own
                return
            for name, value, plans in values:
                if isinstance(value, cst.CSTNode):
                    yield from _replacements(plans[0], (*at, name))
                else:
                    yield from _in_sequence(plans, (*at, name))
        case Kept():
            return


def _is_gone(plans: Sequence[Plan]) -> bool:
    """Whether the one node of a field is taken away."""
    return len(plans) == 1 and isinstance(plans[0], Atom) and not plans[0].new


def _in_sequence(plans: Sequence[Plan], at: NodePath) -> Iterator[Replacement]:
    """The plans of the elements of a sequence; what is inserted is put beside an element that stays."""
    index, run = 0, list[tuple[int, Plan]]()
    kept: tuple[int, Plan] | None = None
    for plan in plans:
        if isinstance(plan, Kept):
            yield from _run(run, at, kept, (index, plan))
            kept, run = (index, plan), []
        else:
            run.append((index, plan))
        index += not isinstance(plan, Atom) or len(plan.old)
    yield from _run(run, at, kept, None)


def _run(
    run: Sequence[tuple[int, Plan]], at: NodePath, before: tuple[int, Plan] | None, behind: tuple[int, Plan] | None
) -> Iterator[Replacement]:
    """Neighbours that all change: each by itself, or all at the first of them where some are inserted."""
    inserted = [plan for _, plan in run if isinstance(plan, Atom) and not plan.old]
    if not inserted:
        for index, plan in run:
            yield from _replacements(plan, (*at, index))
        return
    nodes = tuple(node for _, plan in run for node in build(plan, _EVERY))
    places = [index for index, plan in run if not (isinstance(plan, Atom) and not plan.old)]
    if places:
        yield Replacement((*at, places[0]), nodes)
        yield from (Replacement((*at, index), ()) for index in places[1:])
    elif before is not None:
        yield Replacement((*at, before[0]), (*build(before[1], _EVERY), *nodes))
    elif behind is not None:
        yield Replacement((*at, behind[0]), (*nodes, *build(behind[1], _EVERY)))
