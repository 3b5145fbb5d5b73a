"""Proposers whose edits are written down as whole functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from analysis.facts import FunctionId
from repair.records.ports import Context
from repair.records.task import Attempt, PatchPlan
from transforms.patch.apply import apply_patch, apply_rewrite, apply_update
from transforms.tree.proposal import Origin, Proposal
from transforms.tree.scope import EditScope

Edit = tuple[str, str] | str | Proposal
"""An expression and what replaces it; a whole function; or a ready proposal."""


class Rewrites:
    """Proposes edits of functions by name, in order; eager unless told otherwise.

    ``seen`` keeps what a patient proposer was told of its earlier attempts before each proposal. With ``where_it_fits``
    an edit is left out whose old text the function does not have (any more).
    """

    name = "rewrites"

    def __init__(
        self,
        edits: dict[str, Sequence[Edit]],
        *,
        eager: bool = True,
        imports: tuple[str, ...] = (),
        fails: Exception | None = None,
        before: Callable[[], None] = lambda: None,
        where_it_fits: bool = False,
    ) -> None:
        self._edits = edits
        self.eager = eager
        self._imports = imports
        self._fails = fails
        self._before = before
        self._where_it_fits = where_it_fits
        self.seen: list[tuple[Attempt, ...]] = []
        self.asked: list[FunctionId] = []

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal]:
        self.asked.append(plan.function)
        for number, edit in enumerate(self._edits.get(plan.function.qualname, ())):
            if self._where_it_fits and isinstance(edit, tuple) and edit[0].encode() not in context.scope.text:
                continue
            self._before()
            self.seen.append(tuple(context.attempts()))
            yield self._made(context.scope, edit, number)
        if self._fails is not None:
            raise self._fails

    def _made(self, scope: EditScope, edit: Edit, number: int) -> Proposal:
        if isinstance(edit, Proposal):
            return edit
        made = apply_rewrite(scope, edit) if isinstance(edit, str) else apply_update(scope, *edit)
        assert isinstance(made, Proposal), made
        return Proposal(made.function, made.replacements, Origin(self.name, f"edit {number}"), "because", self._imports)


def patched(scope: EditScope, *statements: tuple[str, str]) -> Proposal:
    """One proposal that replaces several statements."""
    parts = [apply_patch(scope, old, new) for old, new in statements]
    replacements = tuple(r for part in parts if isinstance(part, Proposal) for r in part.replacements)
    return Proposal(scope.function, replacements, Origin("patched", "several"))
