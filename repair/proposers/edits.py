"""Edits written as text, placed in a function: what a model answers, a script holds or a host hands in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from transforms.patch.apply import apply_patch, apply_rewrite, apply_update, render
from transforms.tree.candidate import Rejected, RejectReason
from transforms.tree.proposal import Origin, Proposal
from transforms.tree.scope import EditScope


class TextEdit(NamedTuple):
    """One edit of a function. The target of a rewrite is not looked at."""

    kind: Literal["update", "patch", "rewrite"]
    target: str
    replacement: str


def proposal_of(
    scope: EditScope,
    edits: Sequence[TextEdit],
    origin: Origin,
    survives: Callable[[Sequence[str]], bool],
    explanation: str = "",
    imports: Sequence[str] = (),
) -> Proposal | Rejected:
    """All the edits as one proposal for the scope's function, or why they are none.

    No text is parsed here before ``survives`` has said that its parsing does no harm. Targets are looked up in the
    function as it stands, each edit by itself. The result is printed once, so what is returned has a text that differs
    from the function's.
    """
    if not survives([text for edit in edits for text in (edit.target, edit.replacement)]):
        return Rejected(RejectReason.SYNTAX, "the text is nested too deeply to be read")
    placed: list[Proposal] = []
    for edit in edits:
        match edit.kind:
            case "update":
                made = apply_update(scope, edit.target, edit.replacement)
            case "patch":
                made = apply_patch(scope, edit.target, edit.replacement)
            case "rewrite":
                made = apply_rewrite(scope, edit.replacement)
        if isinstance(made, Rejected):
            return made
        placed.append(made)
    merged = tuple(r for proposal in placed for r in proposal.replacements)
    whole = Proposal(scope.function, merged, origin, explanation, tuple(imports))
    try:
        printed = render(scope, whole)
    except RecursionError:
        return Rejected(RejectReason.SYNTAX, "the text is nested too deeply to be printed")
    return printed if isinstance(printed, Rejected) else whole


def text_of(scope: EditScope, proposal: Proposal) -> str:
    """The function's text with the proposal made, for a reader."""
    printed = render(scope, proposal)
    return printed.detail if isinstance(printed, Rejected) else printed.text.decode(scope.encoding, "replace")
