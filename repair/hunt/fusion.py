"""Atoms of edits that came near, united: of two faults each may be mended by another of them.

Unions are tried best first: those with which the most tests should pass, and of these the smallest. What a union mends
makes it a near edit itself, so that a third part may join. PatchFusion (2026) unites atoms without running them; here a
run is the cheapest judge.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from analysis.errors import RepairError
from analysis.facts import TestId
from repair.hunt.near_edits import NearEdit
from repair.hunt.neighbourhood import join_origins
from repair.records.functions import edit_scope
from transforms.patch.apply import place
from transforms.patch.edit_atoms import edit_atoms, unite
from transforms.tree.proposal import Origin, Proposal, Replacement

MOST_ATOMS = 8
MOST_UNITED = 256
"""Trials of unions in one search."""

MOST_SOURCES = 24
"""Near edits whose atoms are united, the best ones."""


class _Part:
    """Some atoms that may be united with others, and the tests that pass with the edit that they are of."""

    def __init__(self, near: NearEdit, atoms: tuple[Replacement, ...], *, whole: bool) -> None:
        self.near, self.atoms, self.whole = near, atoms, whole
        self.green: frozenset[TestId] = near.green if whole else frozenset()


def unions(known: Sequence[NearEdit]) -> Iterator[Proposal]:
    """Parts of near edits and unions of two of them, best first, as edits of the function as it is."""
    parts = [part for near in known[:MOST_SOURCES] for part in _parts_of(near)]
    chosen: list[tuple[tuple[int, int, int], tuple[_Part, ...]]] = []
    for number, few in enumerate(
        itertools.chain(((p,) for p in parts if not p.whole), itertools.combinations(parts, 2))
    ):
        green = frozenset().union(*(part.green for part in few))
        size = sum(len(part.atoms) for part in few)
        if size <= MOST_ATOMS and len({part.near.edit.trial.function for part in few}) == 1:
            chosen.append(((-len(green), size, number), few))
    for _, few in sorted(chosen, key=lambda each: each[0]):
        atoms = unite(part.atoms for part in few)
        if atoms is None or (len(few) > 1 and any(len(atoms) == len(part.atoms) for part in few)):
            continue
        joined = join_origins([part.near.edit.proposal.origin for part in few])
        origin = Origin(joined.proposer, f"fused {joined.operator}", joined.detail)
        said = " ".join(
            dict.fromkeys(p.near.edit.proposal.explanation for p in few if p.near.edit.proposal.explanation)
        )
        yield Proposal(few[0].near.edit.trial.function, atoms, origin, said)


def _parts_of(near: NearEdit) -> Iterator[_Part]:
    """The near edit, and where it has several atoms, it without one of them, and each of them alone."""
    base, text = near.edit.stream.scope, near.edit.trial.text
    try:
        scope = edit_scope(((base.function.path, place(base, text)),), base.function, text)
    except RepairError:
        return
    atoms = edit_atoms(base.node, scope.node)
    if not 0 < len(atoms) <= MOST_ATOMS:
        return
    yield _Part(near, atoms, whole=True)
    if len(atoms) > 1:
        for left_out in range(len(atoms)):
            yield _Part(near, (*atoms[:left_out], *atoms[left_out + 1 :]), whole=False)
        if len(atoms) > 2:
            yield from (_Part(near, (atom,), whole=False) for atom in atoms)
