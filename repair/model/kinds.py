"""Which kind of edit is asked for: by the failure first, then by what worked before; a larger one is enforced.

An ``update`` whose target is missing or not unique is followed by a ``patch``, and such a ``patch`` by a ``rewrite``.
A smaller kind is refused then, whatever it says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analysis.edit_kind import suggest_kind, suspicious_lines
from repair.model.prompt_files import packaged_prompts
from repair.model.reply import Reply, Unusable, UnusableKind, size_of
from repair.records.task import PatchPlan
from transforms.rules.policy import raising_line_in
from transforms.tree.proposal import EditKind
from transforms.tree.scope import EditScope

SIZES = (EditKind.UPDATE, EditKind.PATCH, EditKind.REWRITE)
"""Kinds of edits, the smallest first."""

ENOUGH = 3
"""Earlier edits of one kind, each of which mended its failure, that outweigh what the failure alone suggests."""

NOT_FOUND = frozenset({UnusableKind.MISSING_TARGET, UnusableKind.AMBIGUOUS_TARGET})
"""Refusals after which a larger kind is due."""


def first_kind(plan: PatchPlan, scope: EditScope, patch_lines: int, worked: Sequence[EditKind] = ()) -> EditKind:
    """The kind to ask for first: what the failure suggests (`analysis/edit_kind.py`), unless experience says otherwise.

    ``worked`` are the kinds of edits that mended such failures before. The one that did so often enough, and more often
    than any other, is asked for.
    """
    often = Counter(worked).most_common(2)
    if often and often[0][1] >= ENOUGH and (len(often) == 1 or often[0][1] > often[1][1]):
        return often[0][0]
    text, first = scope.text.decode(scope.encoding, "replace"), plan.function.first_line
    last = first + len(text.splitlines()) - 1
    ends = [raising_line_in(plan.function, last, diagnosis) for diagnosis in plan.diagnoses]
    raising = [first + line - 1 for line in ends if line is not None]
    lines = raising or suspicious_lines([each for each in plan.suspect.line_scores if first <= each[0] <= last])
    return EditKind(suggest_kind(text, first, lines, plan.diagnoses[0].subclass, patch_lines).kind)


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
        return _say("due", form=_form(least))
    return _say("suggested", form=_form(suggested))


def say_scope(within: frozenset[str]) -> str:
    """What a model is told where only some statements may change; nothing where all may."""
    ids = ", ".join(sorted(within, key=lambda id: int(id[1:])))
    return ids and _say("scope", ids=ids)


def _say(part: str, **values: str) -> str:
    return packaged_prompts().text(f"feedback/{part}", **values)


def _form(kind: EditKind) -> str:
    return _say(kind.value)


def refuse_smaller(reply: Reply, least: EditKind) -> Unusable | None:
    """Why the reply is not taken: one of its edits is of a smaller kind than is due."""
    smaller = [edit for edit in reply.edits if SIZES.index(size_of(edit)) < SIZES.index(least)]
    if not smaller:
        return None
    reason = _say("too_small", kind=smaller[0].kind, form=_form(least))
    return Unusable(reason, UnusableKind.SMALLER_KIND)
