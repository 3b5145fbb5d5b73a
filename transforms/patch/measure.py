"""How large an edit is: which of the three kinds, by where the old and the new tree part."""

from __future__ import annotations

import libcst as cst

from transforms.tree.node_path import steps
from transforms.tree.proposal import EditKind
from transforms.tree.shape import is_layout, same_shape

PATCH_LINES = 10
"""An edit of one place with fewer lines than this is a patch."""


def edit_kind(before: cst.FunctionDef, after: cst.FunctionDef) -> EditKind:
    """``UPDATE`` when one expression differs, ``PATCH`` when a few consecutive statements do, else ``REWRITE``.

    What differs in layout only is the least of edits.
    """
    if same_shape(before, after):
        return EditKind.UPDATE
    old, new = _parting_nodes(before, after)
    if isinstance(old, cst.BaseExpression) and isinstance(new, cst.BaseExpression):
        return EditKind.UPDATE
    if old is before:
        return EditKind.REWRITE
    return EditKind.PATCH if _differing_lines(old, new) < PATCH_LINES else EditKind.REWRITE


def _parting_nodes(old: cst.CSTNode, new: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode]:
    """The smallest pair of nodes at the same place that holds every difference.

    An operator, or an argument, stands for the expression that it belongs to.
    """
    while type(old) is type(new):
        pairs = _only_difference(old, new)
        if pairs is None:
            break
        if isinstance(old, cst.BaseExpression) and not _leads_to_expression(*pairs):
            break
        old, new = pairs
    return old, new


def _only_difference(old: cst.CSTNode, new: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode] | None:
    olds = [(path, child) for path, child in steps(old) if not is_layout(child)]
    news = [(path, child) for path, child in steps(new) if not is_layout(child)]
    if [path for path, _ in olds] != [path for path, _ in news]:
        return None
    differing = [(a, b) for (_, a), (_, b) in zip(olds, news, strict=True) if not same_shape(a, b)]
    return differing[0] if len(differing) == 1 else None


def _leads_to_expression(old: cst.CSTNode, new: cst.CSTNode) -> bool:
    while not isinstance(old, cst.BaseExpression):
        pair = _only_difference(old, new) if type(old) is type(new) else None
        if pair is None:
            return False
        old, new = pair
    return isinstance(new, cst.BaseExpression)


def _differing_lines(old: cst.CSTNode, new: cst.CSTNode) -> int:
    if not isinstance(old, cst.IndentedBlock) or not isinstance(new, cst.IndentedBlock):
        return max(_lines(old), _lines(new))
    olds, news = list(old.body), list(new.body)
    while olds and news and same_shape(olds[0], news[0]):
        del olds[0], news[0]
    while olds and news and same_shape(olds[-1], news[-1]):
        del olds[-1], news[-1]
    return max(sum(map(_lines, olds)), sum(map(_lines, news)))


def _lines(node: cst.CSTNode) -> int:
    return max(1, len(cst.Module([]).code_for_node(node).strip().splitlines()))
