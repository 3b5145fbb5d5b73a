"""Edits that are known beforehand: for tests, and for hosts that bring their own author."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from analysis.errors import UsageError
from repair.observe.parsing import survives_parsing
from repair.proposers.edits import TextEdit, proposal_of
from repair.records.ports import Context
from repair.records.task import PatchPlan
from transforms.tree.proposal import EditKind, Origin, Proposal

Triple = tuple[str, str, str]


class ScriptedProposer:
    """Hands out the given edits in order, each where it fits.

    An edit is a ready ``Proposal``, one triple of texts (kind, target, replacement), or several such triples that are
    one change. A ready proposal is only offered for its own function; texts that do not fit are passed over.
    """

    name: ClassVar[str] = "scripted"
    eager: ClassVar[bool] = False

    def __init__(
        self,
        edits: Sequence[Proposal | Triple | Sequence[Triple]],
        survives: Callable[[Sequence[str]], bool] = survives_parsing,
    ) -> None:
        self._edits = tuple(edit if isinstance(edit, Proposal) else _texts(edit) for edit in edits)
        self._survives = survives

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal]:
        """The edits that fit the plan's function."""
        for number, edit in enumerate(self._edits, start=1):
            if isinstance(edit, Proposal):
                if edit.function == plan.function:
                    yield edit
                continue
            origin = Origin(self.name, "+".join(e.kind for e in edit), f"edit {number}")
            made = proposal_of(context.scope, edit, origin, self._survives)
            if isinstance(made, Proposal):
                yield made


def _texts(edit: Triple | Sequence[Triple]) -> tuple[TextEdit, ...]:
    triples = (edit,) if isinstance(edit[0], str) else edit
    made = tuple(TextEdit(*triple) for triple in triples)
    for one in made:
        if one.kind not in {kind.value for kind in EditKind}:
            raise UsageError(f"{one.kind!r} is no kind of edit", remedy="Use update, patch or rewrite.")
    return made
