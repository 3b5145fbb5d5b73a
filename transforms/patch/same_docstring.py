"""Two versions of a function under one docstring, so that they differ in what they do alone."""

from __future__ import annotations

import libcst as cst

from analysis.trials import Trial
from transforms.patch.apply import render
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope


def give_docstring_of(old: EditScope, new: EditScope) -> bytes:
    """The old function's text with the new one's docstring; as it is where both say the same or it cannot be put in."""
    if old.node.get_docstring(clean=False) == new.node.get_docstring(clean=False):
        return old.text
    if not (isinstance(old.node.body, cst.IndentedBlock) and isinstance(new.node.body, cst.IndentedBlock)):
        return old.text
    rest = old.node.body.body[_count(old.node) :]
    body = (*new.node.body.body[: _count(new.node)], *rest)
    if not rest:  # a docstring alone is a body, and so is what takes its place
        return old.text
    node = old.node.with_changes(body=old.node.body.with_changes(body=body))
    made = render(old, Proposal(old.function, (Replacement((), (node,)),), Origin("comparison", "docstring")))
    return made.text if isinstance(made, Trial) else old.text


def _count(node: cst.FunctionDef) -> int:
    """How many statements the docstring is."""
    return int(node.get_docstring(clean=False) is not None)
