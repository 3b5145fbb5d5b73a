"""Source text to standard syntax trees, with comments, quotes and parentheses forgotten.

For the rules that compare what a function says, not how it is written. Trees that edits are made
on come from LibCST elsewhere.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A text that the engine's own Python cannot read, and what to do about it."""

    detail: str


def parse_module(source: str | bytes) -> ast.Module | Unreadable:
    """The tree of a whole file; warnings that its strings may cause are not ours to raise."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        return Unreadable(
            f"Python {version}, which runs the engine, cannot parse this text ({problem}). "
            "If it is newer syntax, run the engine on the target's Python."
        )
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.kind = None  # u"x" says the same as "x"
    return tree


def parse_function(text: str) -> FunctionNode | Unreadable:
    """The one function of the text, however far it is indented; lines count from the text's first line."""
    header = "if 1:\n" if text[:1] in (" ", "\t", "\f") else ""
    tree = parse_module(header + text)
    if isinstance(tree, Unreadable):
        return tree
    body = tree.body
    if header and len(body) == 1 and isinstance(body[0], ast.If):
        ast.increment_lineno(body[0], -1)
        body = body[0].body
    match body:
        case [ast.FunctionDef() | ast.AsyncFunctionDef() as function]:
            return function
    return Unreadable("The text is not exactly one function.")


def shape(node: ast.AST | None) -> str:
    """What the node says, without positions: equal for equal trees."""
    return "" if node is None else ast.dump(node)


def dotted_name(node: ast.AST | None) -> str:
    """``a.b.c`` for a chain of names and attributes, ``""`` for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def last_name(node: ast.AST | None) -> str:
    """The last name of a callee: ``c`` for ``a.b.c`` and for ``f().c``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements after the docstring, if there is one."""
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
    return body


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The statement lists directly under one node (body, else, finally, the bodies of handlers and cases)."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and block:
            yield block
    for name in ("handlers", "cases"):
        for part in getattr(node, name, ()):
            yield part.body


def statements(scope: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a scope, those under ``if``, ``try`` and ``with`` included."""
    for statement in scope:
        yield statement
        if isinstance(statement, (ast.If, ast.Try, ast.With)):
            inner = [n for n in ast.iter_child_nodes(statement) if isinstance(n, (ast.stmt, ast.ExceptHandler))]
            for node in inner:
                yield from statements(node.body if isinstance(node, ast.ExceptHandler) else [node])


def parents(root: ast.AST) -> dict[ast.AST, ast.AST]:
    """Each node below the root with its parent."""
    return {child: node for node in ast.walk(root) for child in ast.iter_child_nodes(node)}


def own_nodes(root: ast.AST, stop: tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """Nodes below the root in source order, not entering nodes of the given types (they themselves are given)."""
    for child in ast.iter_child_nodes(root):
        yield child
        if not isinstance(child, stop):
            yield from own_nodes(child, stop)


def names_in(node: ast.AST | None) -> frozenset[str]:
    """All plain names that occur in the node."""
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name)) if node is not None else frozenset()
