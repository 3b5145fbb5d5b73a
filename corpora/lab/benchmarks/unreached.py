"""Why a project's memory does not come to its fixes, told of older fixes: the latest ones are left for the figures.

*Travelling* templates are what fixes of several projects have in common. Those of them that no operator makes are what
an engine could bring along.

Each fix is counted once: as reached, or under the first reason that holds. It changes more than one piece. It needs a
word that neither the module nor the history has. No template fits the place. A template fits and gives another edit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from corpora.lab.benchmarks.history_reach import MOST_CANDIDATES, Known, SmallFix, place_of, walk_forward
from corpora.lab.benchmarks.words_reach import missing_leaves
from corpora.lab.learning.changes import MENDING_WORDS, SmallChange, may_be_small, small_change
from corpora.lab.learning.counting import see_change
from corpora.mining.repository import Repository
from repair.proposers.memory import MemoryProposer
from transforms.ingredients.edit_templates import PieceEdit, explains, learn_templates, piece_edit, rewritings

LEAST_PROJECTS, MOST_TEMPLATES = 3, 100_000

REASONS = ("several pieces", "a word is unknown", "no template fits", "another edit is given", "reached")


def unreached_figures(roots: Sequence[Path], most: int, leave: int) -> dict[str, Any]:
    """For each history how many of its older fixes, so many at most, were not reached and why."""
    found = {}
    for root in roots:
        counts = Counter(why_unreached(fix, known) for fix, known in walk_forward(root, most, leave))
        found[root.name] = {reason: counts[reason] for reason in REASONS}
    return found


def travelling_figures(roots: Sequence[Path], listen: Callable[[str], None]) -> dict[str, Any]:
    """How many small fixes have templates of so many projects, and how many of those no operator of ours makes.

    A template counts as made by ours where an operator makes one of the fixes that it explains.
    """
    fixes = [(root.name, *each) for root in roots for each in _edits_of(root, listen)]
    templates = learn_templates([edit for _, edit, _ in fixes], MOST_TEMPLATES)
    found: Counter[str] = Counter()
    told = []
    for template in (each for each in templates if each.commits >= 2):
        own = [(name, change) for name, edit, change in fixes if explains(template, edit)]
        projects = len({name for name, _ in own})
        found.update(f"in {least} projects or more" for least in (2, 3) if projects >= least)
        if projects >= LEAST_PROJECTS:
            unmade = {name for name, change in own if not see_change(change, "").ways}
            shipped = len(unmade) >= LEAST_PROJECTS and len(unmade) == projects
            found.update(["of those, made by no operator"] if shipped else [])
            told.append((f"{template.before} -> {template.after}", projects, len(unmade)))
    return {"fixes of one piece": len(fixes), "templates": len(templates), **found, "in three or more": told}


def _edits_of(root: Path, listen: Callable[[str], None]) -> Iterator[tuple[PieceEdit, SmallChange]]:
    """The small fixes of a history that are one piece, the newest first."""
    count = 0
    with Repository(root) as repository:
        for commit in repository.commits("HEAD", None, "", MENDING_WORDS):
            change = small_change(repository, commit) if may_be_small(commit, others=False) else None
            edit = piece_edit(_text(change.old), _text(change.after)) if change is not None else None
            if change is not None and edit is not None:
                count += 1
                yield edit, change
    listen(f"{root.name}: {count} small fixes of one piece")


def _text(code: bytes) -> str:
    return code.decode("utf-8", "replace")


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
