"""From a reply to an edit that may be tried: its kind is large enough, it has a place, and nothing in it is refused.

Nothing of the target runs here. What the reply says about itself, or what the project's texts told the model to do,
changes nothing about what may be edited.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analysis.edit_kind import PATCH_LINES
from repair.model.import_rules import ImportRules, mend_imports
from repair.model.kinds import refuse_smaller
from repair.model.numbered import NumberedFunction
from repair.model.place_reply import place_reply
from repair.model.refusal import refuse
from repair.model.reply import Reply, Unusable
from repair.records.ports import Context
from repair.records.task import PatchPlan
from transforms.tree.proposal import EditKind, Origin, Proposal


@dataclass(frozen=True, slots=True)
class ReplyRules:
    """What the configuration says about replies."""

    imports: ImportRules = field(default_factory=ImportRules)
    patch_lines: int = PATCH_LINES


def take_reply(
    reply: Reply,
    plan: PatchPlan,
    context: Context,
    numbered: NumberedFunction,
    origin: Origin,
    survives: Callable[[Sequence[str]], bool],
    rules: ReplyRules,
    least: EditKind = EditKind.UPDATE,
    within: frozenset[str] | None = None,
) -> Proposal | Unusable:
    """The reply's edits as one proposal for the context's function, or one sentence why they are none.

    ``least`` is the smallest kind that is due (`repair/model/kinds.py`). ``within`` are the statements that may change,
    where not all may.
    """
    smaller = refuse_smaller(reply, least)
    if smaller is not None:
        return smaller
    made = place_reply(context.scope, numbered, reply, origin, survives, within)
    if isinstance(made, Proposal):
        made = mend_imports(made, rules.imports.apart_from(context.module_source))
    if isinstance(made, Unusable):
        return made
    return refuse(made, plan, context) or made
