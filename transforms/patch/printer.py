"""Printing many edits of one function quickly: what stays is copied, only what is new is printed.

The function's text is printed once, with the place of every node in it. An edit then prints its new expressions and
statements, each at the depth at which it will stand. It puts their text between the pieces that stay. In some places a
node does not stand by itself. Such are a name that needs a space before it, a part of a joined string, and an ``elif``.
These are left to ``render``, which prints the whole function.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from analysis.trials import Trial
from transforms.patch.apply import render, trial_of
from transforms.tree.candidate import Rejected
from transforms.tree.fragments import MOST_KEPT
from transforms.tree.node_path import NodePath, node_at, replace_at, walk
from transforms.tree.parens import breaks_line, fit_into_field, is_enclosed, parenthesize, settle_parentheses
from transforms.tree.placing import ILL_FORMED, encode_code, fitting_place, keep_comments, trim_footers
from transforms.tree.proposal import Proposal
from transforms.tree.scope import EditScope
from transforms.tree.spans import Placed, Span, places_in


@dataclass(frozen=True, slots=True)
class _Place:
    """Where one node stands: its span, the indentation of its statement, the field of the parent that holds it."""

    old: cst.CSTNode
    span: Span
    indent: str
    parent: cst.CSTNode
    field: str
    enclosed: bool = False
    last: bool = False
    """Whether a statement ends the function, so that comments below it would lie outside."""
    bare: bool = False
    """Whether a statement has no comments that what replaces it would take over."""


class Printer:
    """Renders proposals for one scope; the texts are those of ``render``, byte for byte.

    ``place`` is what ``places_in`` gives, where that is known already.
    """

    def __init__(self, scope: EditScope, place: Placed | None = None) -> None:
        self._scope, self._placed = scope, place
        self._place_once = functools.cache(self._place)
        self._settle_once = functools.lru_cache(MOST_KEPT)(lambda node: settle_parentheses(node, self._originals))
        self._print_once = functools.lru_cache(MOST_KEPT)(self._print)
        self._block_once = functools.lru_cache(MOST_KEPT)(self._block)

    def render(self, proposal: Proposal) -> Trial | Rejected:
        """The function's new text as a trial, unjudged, or why there is none."""
        fast = None if proposal.imports else self._spliced(proposal)
        return render(self._scope, proposal) if fast is None else fast

    @functools.cached_property
    def _source(self) -> str:
        return self._scope.tree.code

    @functools.cached_property
    def _spans(self) -> dict[NodePath, Span]:
        place = self._placed or places_in(self._scope)
        return {path: place(node)[1] for path, node in walk(self._scope.node)}

    @functools.cached_property
    def _originals(self) -> frozenset[cst.CSTNode]:
        """Nodes that need no parentheses in them: those of the function as it is."""
        node = self._scope.node
        return frozenset(child for _, child in walk(node)) if settle_parentheses(node) is node else frozenset()

    def _spliced(self, proposal: Proposal) -> Trial | Rejected | None:
        """The trial, put together; ``None`` where the whole function has to be printed."""
        pieces: list[tuple[Span, str]] = []
        for edit in proposal.replacements:
            place = self._place_once(edit.at)
            write = self._expression if place and isinstance(place.old, cst.BaseExpression) else self._statements
            text = None if place is None else write(place, edit.nodes)
            if place is None or text is None:
                return None
            pieces.append((place.span, text))
        pieces.sort(reverse=True)
        code, begin = self._source, len(self._source)
        for (start, end), text in pieces:
            if end > begin:
                return None  # they overlap
            code, begin = code[:start] + text + code[end:], start
        whole = encode_code(self._scope, code[len(self._scope.header) :])
        return whole if isinstance(whole, Rejected) else trial_of(self._scope, whole, proposal.origin)

    def _expression(self, place: _Place, nodes: Sequence[cst.CSTNode]) -> str | None:
        if len(nodes) != 1 or not isinstance(nodes[0], cst.BaseExpression):
            return None
        new, code, breaks = self._print_once(nodes[0])
        fitting = parenthesize(new) if breaks and not place.enclosed else fit_into_field(place.parent, place.field, new)
        if "\n" in code or "\r" in code:
            line = self._block(place.indent, cst.SimpleStatementLine([cst.Expr(fitting)]))
            return line[len(place.indent) :].removesuffix(self._scope.tree.default_newline)
        return code if fitting is new else f"({code})"

    def _statements(self, place: _Place, nodes: Sequence[cst.CSTNode]) -> str | None:
        if any(not isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)) for node in nodes):
            return None
        nodes = [node if node is place.old else self._settle_once(node) for node in nodes]
        siblings = len(getattr(place.parent, place.field))
        if not nodes:
            return None if place.last or siblings == 1 else ""
        new = nodes if place.bare else keep_comments(place.old, nodes)
        if place.last:
            new = [*new[:-1], trim_footers(new[-1])]
        start, end = place.span
        return "".join(self._source[start:end] if n is place.old else self._block_once(place.indent, n) for n in new)

    def _print(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression, str, bool]:
        """The expression settled, its text, and whether it breaks a line."""
        new = settle_parentheses(node, self._originals)
        return new, self._scope.tree.code_for_node(new), breaks_line(new)

    def _block(self, indent: str, statement: cst.CSTNode) -> str:
        """The statement as it prints at that depth."""
        body = cst.IndentedBlock([statement], indent=indent or None)  # type: ignore[list-item] # the caller knows a statement
        printed = self._scope.tree.code_for_node(cst.If(cst.Name("x"), body))
        return printed[len("if x:") + len(self._scope.tree.default_newline) :]

    def _place(self, at: NodePath) -> _Place | None:
        """What is known of a place; ``None`` where a node does not stand there by itself."""
        function = self._scope.node
        if not at or at not in self._spans:
            return None
        old = node_at(function, at)
        parent, field = fitting_place(function, at)
        indent = self._indent(at)
        if isinstance(old, cst.BaseExpression):
            if isinstance(parent, cst.ConcatenatedString) or not _fits_bare(function, at):
                return None
            return _Place(old, self._spans[at], indent, parent, field, enclosed=is_enclosed(function, at))
        if isinstance(parent, cst.IndentedBlock) and isinstance(old, cst.BaseStatement):
            last = not self._source[self._spans[at][1] :].strip()
            return _Place(old, self._spans[at], indent, parent, field, last=last, bare=_is_bare(old))
        return None

    def _indent(self, at: NodePath) -> str:
        """The indentation of the statement at the path, or around it."""
        tree = self._scope.tree
        node, indent = tree, ""
        for step in (*self._scope.root, *at):
            node = node[step] if isinstance(step, int) else getattr(node, step)  # type: ignore[index] # numbers are steps into sequences
            if isinstance(node, cst.IndentedBlock):
                indent += tree.default_indent if node.indent is None else node.indent
        return indent


def _is_bare(statement: cst.BaseStatement) -> bool:
    """Whether no comment or blank line belongs to the statement: ``x = 1``, not ``x = 1  # one``."""
    if getattr(statement, "leading_lines", ()):
        return False
    trailing = getattr(statement, "trailing_whitespace", None)
    return trailing is None or not (trailing.comment or trailing.whitespace.value or trailing.newline.value)


def _fits_bare(function: cst.FunctionDef, at: NodePath) -> bool:
    """Whether a name may stand there without parentheses: ``return(x)`` has no space for one."""
    parent, field = fitting_place(function, at)
    name = fit_into_field(parent, field, cst.Name("any_name"))
    try:
        replace_at(function, at, (name,))
    except ILL_FORMED:
        return False
    return not name.lpar
