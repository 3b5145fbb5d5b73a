"""Why a project's memory does not come to its fixes, told of older fixes: the latest ones are left for the figures.

Each fix is counted once: as reached, or under the first reason that holds. It changes more than one piece. It needs a
word that neither the module nor the history has. No template fits the place. A template fits and gives another edit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corpora.lab.benchmarks.history_reach import MOST_CANDIDATES, Known, SmallFix, place_of, walk_forward
from corpora.lab.benchmarks.words_reach import missing_leaves
from repair.proposers.memory import MemoryProposer
from transforms.ingredients.edit_templates import PieceEdit, piece_edit, rewritings

REASONS = ("several pieces", "a word is unknown", "no template fits", "another edit is given", "reached")


def unreached_figures(roots: Sequence[Path], most: int, leave: int) -> dict[str, Any]:
    """For each history how many of its older fixes, so many at most, were not reached and why."""
    found = {}
    for root in roots:
        counts = Counter(why_unreached(fix, known) for fix, known in walk_forward(root, most, leave))
        found[root.name] = {reason: counts[reason] for reason in REASONS}
    return found


def why_unreached(fix: SmallFix, known: Known) -> str:
    """One of the reasons."""
    proposer = MemoryProposer(known.words, known.templates, fix.day)
    if place_of(fix, proposer, MOST_CANDIDATES) is not None:
        return "reached"
    edit = piece_edit(fix.scope.text.decode("utf-8", "replace"), fix.after.decode("utf-8", "replace"))
    if edit is None:
        return "several pieces"
    if not set(_missing(fix)) <= {word.text for word in known.words}:
        return "a word is unknown"
    return "another edit is given" if _fits_any(edit, known) else "no template fits"


def _missing(fix: SmallFix) -> list[str]:
    """Leaves of the mended function that neither it nor its module had."""
    module = fix.module.decode("utf-8", "replace")  # it may be of an older Python
    return [leaf for leaf in missing_leaves(fix.scope.text, fix.after) if leaf.rpartition(".")[2] not in module]


def _fits_any(edit: PieceEdit, known: Known) -> bool:
    """Whether a template fits the very piece that the fix changes."""
    return any(next(rewritings(one, edit.before, lambda kind: ("word",)), None) for one in known.templates)
