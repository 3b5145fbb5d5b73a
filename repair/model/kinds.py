"""Which kind of edit is asked for: by the failure first, then by what worked before; a larger one is enforced.

An ``update`` whose target is missing or not unique is followed by a ``patch``, and such a ``patch`` by a ``rewrite``.
A smaller kind is refused then, whatever it says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analysis.exception_kinds import Subclass
from analysis.facts import FailureClass
from repair.model.numbered import NumberedFunction
from repair.model.reply import Reply, Unusable, UnusableKind, size_of
from repair.records.task import PatchPlan
from transforms.rules.policy import raising_line_in
from transforms.tree.proposal import EditKind

SIZES = (EditKind.UPDATE, EditKind.PATCH, EditKind.REWRITE)
"""Kinds of edits, the smallest first."""

NEAR = 0.95
"""A line is concerned from this share of the most suspicious one's score on."""

ENOUGH = 3
"""Earlier edits of one kind, each of which mended its failure, that outweigh what the failure alone suggests."""

ADDING = frozenset({Subclass.MISSING_RAISE, Subclass.UNBOUND})
"""What fails for want of a statement that no expression can stand for."""

NOT_FOUND = frozenset({UnusableKind.MISSING_TARGET, UnusableKind.AMBIGUOUS_TARGET})
"""Refusals after which a larger kind is due."""


def concerned(plan: PatchPlan, numbered: NumberedFunction) -> tuple[str, ...]:
    """The statements that the failures concern: where a traceback ends, else those with the most suspicious lines."""
    first, last = plan.function.first_line, plan.function.first_line + len(numbered.lines) - 1
    ends = (raising_line_in(plan.function, last, diagnosis) for diagnosis in plan.diagnoses)
    lines = [line for line in ends if line is not None]
    if not lines:
        scores = [(line - first + 1, score) for line, score in plan.suspect.line_scores if first <= line <= last]
        most = max((score for _, score in scores), default=0.0)
        lines = [line for line, score in scores if score > 0 and score >= NEAR * most]
    ids = (numbered.at_line(line) for line in sorted(lines))
    return tuple(id for id in dict.fromkeys(ids) if id)


def first_kind(
    plan: PatchPlan, numbered: NumberedFunction, patch_lines: int, worked: Sequence[EditKind] = ()
) -> EditKind:
    """The kind to ask for first.

    One statement whose code stands once in the function, and one expression of it: update. Statements in one place with
    fewer lines than ``patch_lines``: patch. Else rewrite. ``worked`` are the kinds of edits that mended such failures
    before. The one that did so often enough, and more often than any other, is asked for.
    """
    often = Counter(worked).most_common(2)
    if often and often[0][1] >= ENOUGH and (len(often) == 1 or often[0][1] > often[1][1]):
        return often[0][0]
    found = [s for s in map(numbered.find, concerned(plan, numbered)) if s is not None]
    if not found or plan.diagnoses[0].failure_class is FailureClass.FORMAT:
        return EditKind.REWRITE
    if len(found) == 1:
        (only,) = found
        code = [numbered.code_of(s).strip() for s in numbered.statements]
        if only.parts and not only.inner and code.count(numbered.code_of(only).strip()) == 1:
            return EditKind.PATCH if plan.diagnoses[0].subclass in ADDING else EditKind.UPDATE
    first, last = min(s.first_line for s in found), max(s.first_line for s in found)
    return EditKind.PATCH if last - first + 1 < patch_lines else EditKind.REWRITE


def next_kind(asked: EditKind, refused: Unusable) -> EditKind:
    """The least kind that the next reply has to have, after one of which this was refused.

    ``asked`` is the least kind of the reply before it. It never becomes smaller.
    """
    if refused.kind not in NOT_FOUND or refused.size is None:
        return asked
    larger = SIZES[min(SIZES.index(refused.size) + 1, len(SIZES) - 1)]
    return max(asked, larger, key=SIZES.index)


def say_kind(suggested: EditKind, least: EditKind) -> str:
    """What a model is told about the kind: what is enforced, else what the failure suggests."""
    if least is not EditKind.UPDATE:
        return f"Answer with {_FORMS[least]}: nothing smaller is taken now."
    return f"The failure suggests {_FORMS[suggested]}; the smallest change that does it is right."


def say_scope(within: frozenset[str]) -> str:
    """What a model is told where only some statements may change; nothing where all may."""
    ids = ", ".join(sorted(within, key=lambda id: int(id[1:])))
    return ids and f"The failure comes from the validation at the top: only {ids} may change, or be added to."


_FORMS = {
    EditKind.UPDATE: "one update of one expression",
    EditKind.PATCH: "a patch of a few statements, or an insertion, by their numbers",
    EditKind.REWRITE: "a rewrite of the whole function",
}


def refuse_smaller(reply: Reply, least: EditKind) -> Unusable | None:
    """Why the reply is not taken: one of its edits is of a smaller kind than is due."""
    smaller = [edit for edit in reply.edits if SIZES.index(size_of(edit)) < SIZES.index(least)]
    if not smaller:
        return None
    reason = f"its {smaller[0].kind} is not taken, since the last edit's place was not found: send {_FORMS[least]}"
    return Unusable(reason, UnusableKind.SMALLER_KIND)
