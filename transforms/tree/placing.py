"""Replacement nodes put into the tree of a function, and the tree printed as the function's text."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import libcst as cst

from transforms.tree.candidate import Rejected, RejectReason
from transforms.tree.imports import parse_imports, with_imports
from transforms.tree.node_path import NodePath, node_at, replace_at
from transforms.tree.parens import breaks_line, fit_into_field, is_enclosed, parenthesize, settle_parentheses
from transforms.tree.proposal import Proposal, Replacement
from transforms.tree.scope import EditScope

ILL_FORMED = (cst.CSTValidationError, TypeError, AttributeError, RecursionError)
"""What the library raises for a node of a kind that its place does not take: the last three for want of a check."""


def edit_tree(scope: EditScope, proposal: Proposal) -> cst.Module | Rejected:
    """The scope's tree with every replacement of the proposal made, and its imports at the head of the body."""
    ordered = sorted(proposal.replacements, key=lambda r: r.at)
    for one, other in pairwise(ordered):
        if other.at[: len(one.at)] == one.at:
            return Rejected(RejectReason.NOT_UNIQUE, f"replacements overlap at {other.at}")
    function: Any = scope.node
    # From the last to the first: what grows or shrinks a block leaves the indices before it alone.
    for replacement in reversed(ordered):
        function = replace_node(scope.node, function, replacement)
        if isinstance(function, Rejected):
            return function
    statements = parse_imports(scope.function.path, proposal.imports)
    if isinstance(statements, Rejected):
        return statements
    function = without_footer(with_imports(function, statements))
    return replace_at(scope.tree, scope.root, (function,))  # type: ignore[return-value] # a tree of the same kind comes back


def print_tree(scope: EditScope, tree: cst.Module) -> bytes | Rejected:
    """The tree's text without the header, with the line ends and in the encoding of the file."""
    try:
        code = tree.code
    except ILL_FORMED as problem:
        return Rejected(RejectReason.SYNTAX, f"the edited function does not print: {problem}")
    if not code.startswith(scope.header):
        return Rejected(RejectReason.OUTSIDE, "the edit reaches out of the function")
    return encode_code(scope, code[len(scope.header) :])


def encode_code(scope: EditScope, code: str) -> bytes | Rejected:
    """Code as it is written in the scope's file: its encoding, and its line ends unless the function mixes them."""
    crlf, lf = scope.text.count(b"\r\n"), scope.text.count(b"\n")
    if scope.newline in ("\n", "\r\n") and not 0 < crlf < lf:
        code = code.replace("\r\n", "\n").replace("\n", scope.newline)
    try:
        return code.encode(scope.encoding)
    except UnicodeEncodeError as problem:
        return Rejected(RejectReason.ENCODING, f"{scope.encoding} has no {code[problem.start : problem.end]!r}")


def replace_node(original: cst.FunctionDef, function: cst.CSTNode, replacement: Replacement) -> cst.CSTNode | Rejected:
    """The function with one replacement made, which addresses the original.

    Those that stand before it in source order, or around it, are made later.
    """
    at = replacement.at
    try:
        old = node_at(original, at)
        parent, field = fitting_place(original, at)
    except (LookupError, TypeError) as problem:
        return Rejected(RejectReason.NOT_FOUND, f"no node at {at}: {problem}")
    if not isinstance(old, cst.CSTNode):
        return Rejected(RejectReason.NOT_FOUND, f"no single node at {at}")
    if (misfit := _misfit(old, at, replacement.nodes)) is not None:
        return misfit
    nodes = keep_comments(old, [settle_parentheses(node) for node in replacement.nodes])
    if isinstance(old, cst.BaseExpression) and isinstance(nodes[0], cst.BaseExpression):
        if isinstance(parent, cst.ConcatenatedString) and not isinstance(nodes[0], cst.BaseString):
            return Rejected(RejectReason.SYNTAX, "a part of a joined string is replaced by a string")
        new = parenthesize(nodes[0]) if breaks_line(nodes[0]) and not is_enclosed(original, at) else nodes[0]
        # ``return(x)`` has no space for a bare name: the second form keeps the parentheses that it had.
        for form in (fit_into_field(parent, field, new), parenthesize(new)):
            with contextlib.suppress(*ILL_FORMED):
                return replace_at(function, at, (form,))
        return Rejected(RejectReason.SYNTAX, f"the expression does not fit at {at}")
    try:
        return replace_at(function, at, tuple(nodes))
    except ILL_FORMED as problem:
        return Rejected(RejectReason.SYNTAX, f"the replacement does not fit at {at}: {problem}")


def fitting_place(function: cst.FunctionDef, at: NodePath) -> tuple[Any, str]:
    """The node around the path's, and the field of it that the path goes through; ``LookupError`` for no such path."""
    parent = node_at(function, at[:-1] if not at or isinstance(at[-1], str) else at[:-2])
    return parent, next((step for step in reversed(at) if isinstance(step, str)), "")


def _misfit(old: cst.CSTNode, at: NodePath, nodes: Sequence[cst.CSTNode]) -> Rejected | None:
    if not at and not (len(nodes) == 1 and isinstance(nodes[0], cst.FunctionDef)):
        return Rejected(RejectReason.OUTSIDE, "the function itself is replaced by exactly one function")
    if at and not isinstance(at[-1], int) and len(nodes) != 1:
        return Rejected(RejectReason.SYNTAX, f"{type(old).__name__} at {at} is replaced by exactly one node")
    if isinstance(old, cst.BaseSuite) and not isinstance(nodes[0], cst.BaseSuite):
        return Rejected(RejectReason.SYNTAX, f"the block at {at} is replaced by a block")
    if isinstance(old, cst.BaseExpression) and not (len(nodes) == 1 and isinstance(nodes[0], cst.BaseExpression)):
        return Rejected(RejectReason.SYNTAX, f"the expression at {at} is replaced by exactly one expression")
    return None


def keep_comments(old: cst.CSTNode, nodes: list[cst.CSTNode]) -> list[cst.CSTNode]:
    """New statements with the comments above the old one, unless they bring their own or keep the old one."""
    if not nodes or not isinstance(old, cst.BaseCompoundStatement | cst.SimpleStatementLine):
        return nodes
    first = nodes[0]
    if any(getattr(node, "leading_lines", ()) for node in nodes) or not hasattr(first, "leading_lines"):
        return nodes
    changes: dict[str, Any] = {"leading_lines": old.leading_lines}
    if len(nodes) == 1 and isinstance(old, cst.SimpleStatementLine) and isinstance(first, cst.SimpleStatementLine):
        trailing = first.trailing_whitespace
        changes["trailing_whitespace"] = trailing if trailing.comment else old.trailing_whitespace
    return [first.with_changes(**changes), *nodes[1:]]


def without_footer(node: cst.FunctionDef) -> cst.FunctionDef:
    """The function without comments behind its last statement: in the file they lie outside of it."""
    new = trim_footers(node)
    assert isinstance(new, cst.FunctionDef), "trimming keeps the kind"
    return new


_LAST_PARTS = ("finalbody", "orelse", "handlers", "body")


def trim_footers(node: cst.CSTNode) -> cst.CSTNode:
    """The statement or block without the footers along its last statement, from the outside in."""
    if isinstance(node, cst.IndentedBlock):
        last = [trim_footers(statement) for statement in node.body[-1:]]
        same = not node.footer and all(map(operator.is_, last, node.body[-1:]))
        return node if same else node.with_changes(body=[*node.body[:-1], *last], footer=[])
    if isinstance(node, cst.Match):
        cases = [*node.cases[:-1], *map(trim_footers, node.cases[-1:])]
        return node if not node.footer and cases[-1] is node.cases[-1] else node.with_changes(cases=cases, footer=[])
    name = next((name for name in _LAST_PARTS if getattr(node, name, None)), None)
    if name is None or isinstance(node, cst.BaseSmallStatement | cst.SimpleStatementLine | cst.SimpleStatementSuite):
        return node
    part = getattr(node, name)
    new: Any = trim_footers(part) if isinstance(part, cst.CSTNode) else [*part[:-1], trim_footers(part[-1])]
    same = new is part or (isinstance(new, list) and new[-1] is part[-1])
    return node if same else node.with_changes(**{name: new})
