"""What a tree says, laid out in whatever way (whitespace, comments, brackets for grouping, quotes), and where."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import libcst as cst

from transforms.tree.node_path import NodePath, steps, walk

Shape = tuple[Any, ...]
"""Comparable and hashable; equal for two trees that differ in layout only."""

_LAYOUT = (
    *(cst.BaseParenthesizableWhitespace, cst.TrailingWhitespace, cst.EmptyLine, cst.Newline, cst.Comment, cst.Comma),
    *(cst.Semicolon, cst.Colon, cst.LeftParen, cst.RightParen, cst.LeftSquareBracket, cst.RightSquareBracket),
    *(cst.LeftCurlyBrace, cst.RightCurlyBrace),
)
_WRAPPERS = (
    *(cst.SimpleStatementLine, cst.SimpleStatementSuite, cst.IndentedBlock, cst.SubscriptElement, cst.Index),
    *(cst.Element, cst.Arg, cst.AssignEqual, cst.Dot),
)
"""Nodes that the standard tree has no counterpart of: they count for nothing in the size of an edit."""

_SPELLING = frozenset({"indent", "encoding", "default_indent", "default_newline", "has_trailing_newline", "end"})


def is_layout(node: object) -> bool:
    """Whether the node means nothing to the program: ``# why``, a blank, ``,``, ``(``."""
    return isinstance(node, _LAYOUT)


def shape(node: cst.CSTNode) -> Shape:
    """The node and everything below it, without layout."""
    # One frame a level, hence ``map``: deep trees are compared too.
    if isinstance(node, (cst.IndentedBlock, cst.SimpleStatementSuite)):
        lines = (line.body if isinstance(line, cst.SimpleStatementLine) else (line,) for line in node.body)
        return ("Block", *map(shape, itertools.chain.from_iterable(lines)))
    parts: list[Shape] = []
    names: tuple[str, ...] = node.__match_args__
    for name in names:
        value = getattr(node, name)
        if isinstance(value, (tuple, list)):
            parts.append(tuple(map(shape, [item for item in value if not _says_nothing(item)])))
        elif not isinstance(value, str):
            # Absent or layout, the place stays: ``a[1:]`` is not ``a[:1]``.
            parts.append(shape(value) if isinstance(value, cst.CSTNode) and not _says_nothing(value) else ())
    return (*_label(node), *parts)


def _says_nothing(node: cst.CSTNode) -> bool:
    """Whether it is layout, or the ``=`` of ``f(a=1)``."""
    return is_layout(node) or isinstance(node, cst.AssignEqual)


def same_shape(one: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Whether two trees differ in layout only: ``f('a', b)`` and ``(f("a",b))``."""
    return shape(one) == shape(other)


@functools.lru_cache(maxsize=1 << 13)
def kept_shape(node: cst.CSTNode) -> Shape:
    """The shape of a node that is compared with many others; nodes are known by identity and never change."""
    return shape(node)


def changed_nodes(before: cst.CSTNode, after: cst.CSTNode) -> int:
    """How many nodes one tree has and the other has not, wherever they stand; at least 1 when the trees differ."""
    if kept_shape(before) == shape(after):
        return 0
    old, new = Counter(_labels(before)), Counter(_labels(after))
    return max(1, (old - new).total() + (new - old).total())


def _labels(node: cst.CSTNode) -> Iterator[Shape]:
    if not isinstance(node, _WRAPPERS):
        yield _label(node)
    for _, child in steps(node):
        if not is_layout(child):
            yield from _labels(child)


def _label(node: cst.CSTNode) -> Shape:
    if isinstance(node, (cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString)):
        try:
            return (type(node).__name__, repr(node.evaluated_value))
        except (SyntaxError, ValueError):
            return (type(node).__name__, node.value)
    if isinstance(node, cst.FormattedString):
        return (type(node).__name__, node.start.rstrip("'\"").lower())
    names: tuple[str, ...] = node.__match_args__
    values = [getattr(node, name) for name in names if name not in _SPELLING]
    words: list[Any] = [value for value in values if isinstance(value, str)]
    if isinstance(node, cst.FormattedStringExpression):
        words.append(node.equal is not None)  # ``{x=}`` prints the name too
    return (type(node).__name__, *words)


LABELS = frozenset(
    {
        *((kind, "name") for kind in ("Param", "FunctionDef", "ClassDef", "ImportAlias", "NameItem")),
        *(("Attribute", "attr"), ("Arg", "keyword"), ("ImportFrom", "module"), ("MatchKeywordElement", "key")),
    }
)
"""Places of names that are no expressions: nothing but another name could stand there."""

_BARE_NAMES = LABELS | {("AsName", "name"), ("TypeVar", "name")}


def expressions_like(root: cst.CSTNode, wanted: cst.BaseExpression) -> Iterator[NodePath]:
    """Paths of the expressions that say the same as ``wanted``, however they are laid out."""
    sought = shape(wanted)
    for at, node in _expressions(root, ()):
        if type(node) is type(wanted) and shape(node) == sought:
            yield at


def _expressions(node: cst.CSTNode, at: NodePath) -> Iterator[tuple[NodePath, cst.BaseExpression]]:
    for more, child in steps(node):
        if (type(node).__name__, more[0]) in _BARE_NAMES:
            continue
        if isinstance(child, cst.BaseExpression):
            yield at + more, child
        yield from _expressions(child, at + more)


def runs_like(root: cst.CSTNode, wanted: Sequence[cst.CSTNode]) -> Iterator[tuple[NodePath, ...]]:
    """For each run of consecutive statements of one block that says the same as ``wanted``, their paths."""
    sought = [shape(statement) for statement in wanted]
    for block, node in walk(root):
        shapes = [shape(statement) for statement in node.body] if isinstance(node, cst.IndentedBlock) else []
        for first in range(len(shapes) - len(sought) + 1):
            if shapes[first : first + len(sought)] == sought:
                yield tuple((*block, "body", first + index) for index in range(len(sought)))
