"""One more edit on top of an edit that came near: what the operators of the search make of its text.

An edit that mends some of the failing tests most likely lacks a second one elsewhere. One of a model that mends none is
most likely wrong in a detail: the statements that it changed come first, and those beside them.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from analysis.errors import RepairError
from repair.hunt.candidate_streams import CandidateStream
from repair.hunt.near_edits import NearEdit
from repair.records.functions import edit_scope
from repair.records.ports import Context, Proposer
from repair.records.task import Pause
from transforms.mutants.made import changed_old_lines
from transforms.patch.apply import place
from transforms.patch.printer import Printer
from transforms.tree.proposal import Origin, Proposal
from transforms.tree.scope import EditScope

MENDED, ELSEWHERE = 0.3, 0.1
"""What lines count that an edit which mends some tests has changed, and all others where an edit mends none."""

BESIDE = 0.7
"""What the lines beside those count that such an edit has changed."""


def open_neighbourhood(near: NearEdit, proposer: Proposer, context: Context) -> CandidateStream | None:
    """The edits of the proposer on top of the near edit, as edits of the function; ``None`` where it does not open.

    ``context`` is that of the function as it is.
    """
    below = near.edit.stream.root
    base, text = below.scope, near.edit.trial.text
    files = ((base.function.path, place(base, text)),)
    try:
        scope = edit_scope(files, base.function, text)
    except RepairError:
        return None
    scores = score_lines(near, scope, dict(below.plan.suspect.line_scores))
    plan = replace(below.plan, suspect=replace(below.plan.suspect, line_scores=scores))
    over = replace(context, scope=scope, module_source=files[0][1], values=None)
    return CandidateStream(
        base,
        Printer(scope),
        below.span,
        below.place,
        below.plan,
        proposer,
        _on_top(near.edit.proposal.origin, proposer.propose(plan, over)),
        below.weight,
        base=below.root,
    )


def _on_top(below: Origin, proposals: Iterator[Proposal | Pause]) -> Iterator[Proposal | Pause]:
    for each in proposals:
        yield each if isinstance(each, Pause) else on_top(below, each)


def on_top(below: Origin, proposal: Proposal) -> Proposal:
    """The proposal as one that both have made."""
    return replace(proposal, origin=join_origins([below, proposal.origin]), ended=())


def join_origins(origins: Sequence[Origin]) -> Origin:
    """Who made several edits that are one now."""
    proposers = dict.fromkeys(name for each in origins for name in each.proposer.split("+"))
    details = " and ".join(dict.fromkeys(each.detail for each in origins if each.detail))
    return Origin("+".join(proposers), "+".join(dict.fromkeys(each.operator for each in origins)), details)


def score_lines(near: NearEdit, scope: EditScope, old: Mapping[int, float]) -> tuple[tuple[int, float], ...]:
    """How suspicious the lines of the near edit are, by those of the function as it is."""
    base, half_way = near.edit.stream.scope, bool(near.green) and not near.broke
    moved = _moved_lines(base, scope)
    known = {moved[line]: score for line, score in old.items() if line in moved}
    if not old:
        known = dict.fromkeys(moved.values(), 1.0)
    scores = known if half_way else {line: ELSEWHERE * score for line, score in known.items()}
    changed = changed_old_lines(scope, base)
    if not half_way:
        beside = {line + step for line in changed for step in (-1, 1)}
        scores |= {line: max(BESIDE, scores.get(line, 0.0)) for line in beside}
    scores |= dict.fromkeys(changed, MENDED if half_way and not near.asked else 1.0)
    return tuple(sorted(scores.items()))


def _moved_lines(base: EditScope, scope: EditScope) -> dict[int, int]:
    """Where the lines of the function that are left stand now."""
    first = base.function.first_line
    matcher = difflib.SequenceMatcher(None, base.text.splitlines(), scope.text.splitlines(), autojunk=False)
    return {
        first + one + step: first + other + step
        for one, other, size in matcher.get_matching_blocks()
        for step in range(size)
    }
