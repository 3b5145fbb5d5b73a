"""Source text to standard syntax trees, with comments, quotes and parentheses forgotten.

For the rules that compare what a function says, not how it is written. Trees that edits are made
on come from LibCST elsewhere.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
"""Nodes whose insides run at another time than what stands around them."""


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


def upwards(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Each step from the node towards the root, as the node below and the one that it stands in."""
    while (parent := above.get(node)) is not None:
        yield node, parent
        node = parent


def own_nodes(root: ast.AST, stop: tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """Nodes below the root in source order, not entering nodes of the given types (they themselves are given)."""
    for child in ast.iter_child_nodes(root):
        yield child
        if not isinstance(child, stop):
            yield from own_nodes(child, stop)


def parameters_of(function: FunctionNode) -> list[ast.arg]:
    """All parameters of the function, in the order of its signature."""
    a = function.args
    return [p for p in (*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg) if p is not None]


def first_line_of(node: ast.stmt) -> int:
    """The line on which the statement begins, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def mutable_defaults(arguments: ast.arguments) -> list[ast.expr]:
    """Defaults that outlive a call and may change, such as ``seen=[]``."""
    kinds = (ast.List, ast.Dict, ast.Set, ast.Call)
    return [d for d in (*arguments.defaults, *arguments.kw_defaults) if isinstance(d, kinds)]


def names_in(node: ast.AST | None) -> frozenset[str]:
    """All plain names that occur in the node."""
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name)) if node is not None else frozenset()
