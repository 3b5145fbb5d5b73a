"""The statements of one function in source order, nested ones too, with the parts that can be named.

A clause (``elif``, ``except``, ``case``) is listed for its expression: it cannot be replaced alone. ``else`` and
``finally`` hold nothing but statements, and are not listed.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from transforms.tree.node_path import NodePath
from transforms.tree.scope import EditScope

CLAUSES = frozenset(("elif", "except", "case"))


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement or clause.

    - ``kind`` is its first word (``return``, ``if``, ``elif``), or what it is (``assignment``, ``expression``).
    - ``at`` leads to its node; one of several on a line, or behind a colon, has a path of its own.
    - ``parts`` are the expressions of its own, by name; for a compound statement those of its first line. The first is
      the main one.
    - ``first_line`` and ``last_line`` count from 1 in the function's text; the block of a statement belongs to it.
    - ``inner`` is how many of the statements that follow are inside of it. ``within`` is the index of the statement
      around it, -1 for none.
    """

    kind: str
    at: NodePath
    parts: tuple[tuple[str, NodePath], ...]
    first_line: int
    last_line: int
    inner: int
    within: int

    @property
    def is_clause(self) -> bool:
        """Whether it is a part of the statement that it is within, and none by itself."""
        return self.kind in CLAUSES


def statements_of(scope: EditScope) -> tuple[Statement, ...]:
    """All statements of the scope's function, the first line of each after that of the one before it, or the same."""
    places = MetadataWrapper(scope.tree, unsafe_skip_copy=True).resolve(PositionProvider)
    found: list[Statement] = []

    def collect(node: cst.CSTNode, at: NodePath, within: int) -> None:
        place = places[node]
        assert isinstance(place, CodeRange), "this provider gives ranges"
        first, last = (each.line - scope.lines_above for each in (place.start, place.end))
        index = len(found)
        kind = "elif" if at[-1] == "orelse" else _kind(node)
        own = tuple((name, at + path) for name, path in _parts(node))
        found.append(Statement(kind, at, own, first, last, 0, within))
        for inner, path in _inner(node, at):
            collect(inner, path, index)
        last = max([last, *(each.last_line for each in found[index + 1 :])])
        found[index] = Statement(kind, at, own, first, last, len(found) - index - 1, within)

    for node, at in _block(scope.node.body, ("body",)):
        collect(node, at, -1)
    return tuple(found)


_Placed = tuple[cst.CSTNode, NodePath]


def _block(suite: cst.BaseSuite, at: NodePath) -> Iterator[_Placed]:
    """Each statement of a block, those of one line by themselves."""
    for index, element in enumerate(suite.body):
        path = (*at, "body", index)
        if isinstance(element, cst.SimpleStatementLine):
            yield from ((small, (*path, "body", number)) for number, small in enumerate(element.body))
        else:
            yield element, path


def _inner(node: cst.CSTNode, at: NodePath) -> Iterator[_Placed]:
    """The statements and clauses directly inside a compound statement or a clause, in source order."""
    body = getattr(node, "body", None)
    if isinstance(body, cst.BaseSuite):
        yield from _block(body, (*at, "body"))
    for name in ("handlers", "cases"):
        yield from ((each, (*at, name, index)) for index, each in enumerate(getattr(node, name, ())))
    for name in ("orelse", "finalbody"):
        branch = getattr(node, name, None)
        if isinstance(branch, cst.If):
            yield branch, (*at, name)
        elif isinstance(branch, (cst.Else, cst.Finally)):
            yield from _block(branch.body, (*at, name, "body"))


_KINDS: tuple[tuple[type[cst.CSTNode], str], ...] = (
    (cst.Assign, "assignment"),
    (cst.AnnAssign, "assignment"),
    (cst.AugAssign, "assignment"),
    (cst.Expr, "expression"),
    (cst.FunctionDef, "def"),
    (cst.ClassDef, "class"),
    (cst.ImportFrom, "import"),
    (cst.TryStar, "try"),
    (cst.ExceptHandler, "except"),
    (cst.ExceptStarHandler, "except"),
    (cst.MatchCase, "case"),
)


def _kind(node: cst.CSTNode) -> str:
    """The word for a statement: its keyword, ``assignment`` or ``expression``."""
    return next((word for kind, word in _KINDS if isinstance(node, kind)), type(node).__name__.lower())


_PARTS: tuple[tuple[type[cst.CSTNode], str, str], ...] = (
    (cst.Return, "value", "value"),
    (cst.Expr, "value", "value"),
    (cst.Assign, "value", "value"),
    (cst.AugAssign, "value", "value"),
    (cst.AugAssign, "target", "target"),
    (cst.AnnAssign, "value", "value"),
    (cst.AnnAssign, "target", "target"),
    (cst.AnnAssign, "annotation", "annotation.annotation"),
    (cst.Del, "target", "target"),
    (cst.Assert, "test", "test"),
    (cst.Assert, "msg", "msg"),
    (cst.Raise, "exc", "exc"),
    (cst.Raise, "cause", "cause.item"),
    (cst.If, "test", "test"),
    (cst.While, "test", "test"),
    (cst.For, "iter", "iter"),
    (cst.For, "target", "target"),
    (cst.ExceptHandler, "type", "type"),
    (cst.ExceptStarHandler, "type", "type"),
    (cst.Match, "subject", "subject"),
    (cst.MatchCase, "guard", "guard"),
)
"""A kind of statement, the name of a part, and the fields that lead to it."""


def _parts(node: cst.CSTNode) -> Iterator[tuple[str, NodePath]]:
    for kind, name, fields in _PARTS:
        if isinstance(node, kind) and _has(node, fields):
            yield name, tuple(fields.split("."))
    if isinstance(node, cst.Assign):
        if len(node.targets) == 1:
            yield "target", ("targets", 0, "target")
        yield from ((f"targets[{index}]", ("targets", index, "target")) for index in range(len(node.targets)))
    if isinstance(node, cst.With):
        yield from ((f"items[{index}]", ("items", index, "item")) for index in range(len(node.items)))


def _has(node: cst.CSTNode, fields: str) -> bool:
    first, _, rest = fields.partition(".")
    value = getattr(node, first)
    return isinstance(value, cst.CSTNode) and (not rest or isinstance(operator.attrgetter(rest)(value), cst.CSTNode))
