"""Other places with the flaw that a fix took away: the same code but for local names.

The flaw is the smallest piece of the old function that holds every difference from the new one. It has to be large
enough to be looked for. Names that a function binds are holes. Other names, attributes, constants and
operators stay.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analysis.functions import syntax_tree

LEAST_NODES = 5
"""So many nodes a flaw has to have to be looked for, holes among them: ``rows[len(rows)]`` has five."""

MOST_TEXT = 200

Functions = ast.FunctionDef | ast.AsyncFunctionDef
POSITIONS = frozenset(("lineno", "col_offset", "end_lineno", "end_col_offset", "type_comment", "kind"))


@dataclass(frozen=True, slots=True)
class SiblingPlace:
    """A place with the same flaw: ``text`` is its code on one line."""

    file: str
    line: int
    function: str
    text: str


def find_siblings(
    before: bytes, after: bytes, function: str, sources: Mapping[str, bytes], file: str = ""
) -> tuple[str, tuple[SiblingPlace, ...]]:
    """The flaw as it was mended, on one line, and the other places that have it, by file and line.

    ``sources`` are the program's files; what cannot be parsed is passed over. The flaw is empty where the fix took away
    nothing that can be looked for: it only adds code, or the piece is too common.
    """
    old, new = (_function(text, function) for text in (before, after))
    if old is None or new is None:
        return "", ()
    holding = (node for node, _ in reversed(differing_pieces(old, new)) if hasattr(node, "lineno"))
    flaw = next((node for node in holding if _shape(node, bound_names(old))[1] >= LEAST_NODES), None)
    if flaw is None or isinstance(flaw, Functions):
        return "", ()
    shape, _ = _shape(flaw, bound_names(old))
    found = []
    for path, source in sorted(sources.items()):
        for name, each in _functions(source):
            bound = bound_names(each)
            for node in _own_nodes(each):
                is_itself = (path, name, getattr(node, "lineno", 0)) == (file, function, getattr(flaw, "lineno", 0))
                if type(node) is type(flaw) and not is_itself and _shape(node, bound)[0] == shape:
                    found.append(SiblingPlace(path, getattr(node, "lineno", 0), name, _text(node)))
    return _text(flaw), tuple(sorted(found, key=lambda place: (place.file, place.line)))


def differing_pieces(old: ast.AST, new: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """The nodes of both trees that hold all differences, the outermost first; none where both trees are alike."""
    if ast.dump(old) == ast.dump(new):
        return []
    mine, theirs = list(ast.iter_child_nodes(old)), list(ast.iter_child_nodes(new))
    if type(old) is not type(new) or len(mine) != len(theirs) or _plain(old) != _plain(new):
        return [(old, new)]
    parted = [(a, b) for a, b in zip(mine, theirs, strict=True) if ast.dump(a) != ast.dump(b)]
    return [(old, new), *differing_pieces(*parted[0])] if len(parted) == 1 else [(old, new)]


def _plain(node: ast.AST) -> list[tuple[str, object]]:
    """What a node says itself, beside its children: names, constants, how many of a kind."""
    return [
        (name, len(value) if isinstance(value, list) else value)
        for name, value in ast.iter_fields(node)
        if name not in POSITIONS and not isinstance(value, ast.AST)
    ]


def _shape(node: ast.AST, bound: frozenset[str]) -> tuple[str, int]:
    """The node with bound names as numbered holes, and how many nodes it has."""
    holes: dict[str, str] = {}
    count = 0

    def write(each: object) -> str:
        nonlocal count
        count += isinstance(each, ast.AST) and not isinstance(each, ast.expr_context)
        if isinstance(each, ast.Name) and each.id in bound:
            return holes.setdefault(each.id, f"?{len(holes)}")
        if isinstance(each, ast.AST):
            fields = ((name, value) for name, value in ast.iter_fields(each) if name not in POSITIONS)
            return f"{type(each).__name__}({', '.join(f'{name}={write(value)}' for name, value in fields)})"
        return f"[{', '.join(map(write, each))}]" if isinstance(each, list) else repr(each)

    text = write(node)
    return text, count


def bound_names(function: Functions) -> frozenset[str]:
    """The names that the function binds: parameters and what is assigned."""
    return frozenset(
        node.arg if isinstance(node, ast.arg) else node.id
        for node in ast.walk(function)
        if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    )


def _function(source: bytes, name: str) -> Functions | None:
    return next((node for qualname, node in _functions(source) if qualname == name), None)


def _functions(source: bytes) -> Iterator[tuple[str, Functions]]:
    """The functions of a file by qualified name, those of classes and of functions among them."""
    try:
        tree = syntax_tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, node = waiting.pop()
        inner = prefix
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if not isinstance(node, ast.ClassDef):
                yield f"{prefix}{node.name}", node
            inner = f"{prefix}{node.name}." if isinstance(node, ast.ClassDef) else f"{prefix}{node.name}.<locals>."
        waiting.extend((inner, child) for child in ast.iter_child_nodes(node))


def _own_nodes(function: Functions) -> Iterator[ast.AST]:
    """The nodes within the function, without those of functions in it, which are looked at by themselves."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}…"
