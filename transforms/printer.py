"""Printing many edits of one function quickly: what stays is printed once for each place.

An edit that replaces one expression leaves the text before and behind it alone. Both are found by
printing the function with a hole in that place; every further edit there prints its new expression
only. All other edits, and places in which a bare name does not fit, are printed whole.
"""

from __future__ import annotations

import libcst as cst

from analysis.facts import Trial
from transforms.apply import render, trial_of
from transforms.candidate import Rejected
from transforms.node_path import NodePath, node_at, replaced
from transforms.parens import breaks_line, fitted, settled
from transforms.placing import ILL_FORMED, encoded, fitting_place
from transforms.proposal import Origin, Proposal, Replacement
from transforms.scope import EditScope

HOLE = "__hole_of_an_edit__"


class Printer:
    """Renders proposals for one scope; the texts are those of ``render``, byte for byte."""

    def __init__(self, scope: EditScope) -> None:
        self._scope = scope
        self._frames: dict[NodePath, tuple[bytes, bytes] | None] = {}

    def render(self, proposal: Proposal) -> Trial | Rejected:
        """The function's new text as a trial, unjudged, or why there is none."""
        fast = self._spliced(proposal)
        return render(self._scope, proposal) if fast is None else fast

    def _spliced(self, proposal: Proposal) -> Trial | Rejected | None:
        """The trial of a one-expression edit; ``None`` where the whole function has to be printed."""
        if proposal.imports or len(proposal.replacements) != 1:
            return None
        (edit,) = proposal.replacements
        if len(edit.nodes) != 1 or not isinstance(edit.nodes[0], cst.BaseExpression):
            return None
        frame = self._frame(edit.at)
        new = settled(edit.nodes[0])
        if frame is None or not isinstance(new, cst.BaseExpression) or breaks_line(new):
            return None
        parent, field = fitting_place(self._scope.node, edit.at)
        code = self._scope.tree.code_for_node(fitted(parent, field, new))
        if "\n" in code:  # continuation lines are indented with what is around them
            return None
        text = encoded(self._scope, code)
        if isinstance(text, Rejected):
            return text
        return trial_of(self._scope, frame[0] + text + frame[1], proposal.origin)

    def _frame(self, at: NodePath) -> tuple[bytes, bytes] | None:
        """The text before and behind the expression at the path."""
        if at not in self._frames:
            self._frames[at] = self._printed_frame(at)
        return self._frames[at]

    def _printed_frame(self, at: NodePath) -> tuple[bytes, bytes] | None:
        try:
            old = node_at(self._scope.node, at)
        except (LookupError, TypeError):
            return None
        if not isinstance(old, cst.BaseExpression) or isinstance(old, cst.BaseString):
            return None
        if not _fits_bare(self._scope.node, at):
            return None
        hole = Proposal(self._scope.function, (Replacement(at, (cst.Name(HOLE),)),), Origin("printer", "hole"))
        printed = render(self._scope, hole)
        parts = [] if isinstance(printed, Rejected) else printed.text.split(HOLE.encode())
        return (parts[0], parts[1]) if len(parts) == 2 else None


def _fits_bare(function: cst.FunctionDef, at: NodePath) -> bool:
    """Whether a name may stand there without parentheses: ``return(x)`` has no space for one."""
    parent, field = fitting_place(function, at)
    name = fitted(parent, field, cst.Name(HOLE))
    try:
        replaced(function, at, (name,))
    except ILL_FORMED:
        return False
    return not name.lpar
