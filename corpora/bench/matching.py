"""How near a patch's text comes to a reference's: the same text, the same tree, the functions that differ."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.errors import UnparseableError
from analysis.facts import Files
from analysis.functions import FunctionSpan, functions_of, syntax_tree


@dataclass(frozen=True, slots=True)
class Match:
    """Whether a patch is its reference: its ``tree``, and ``exact``ly so but for white space at the ends of lines."""

    exact: bool
    tree: bool


def match(patched: Files, reference: Files, before: Files) -> Match:
    """Compare two results of the same tree: ``before`` holds the old text of every file that either changes."""
    old, ours, theirs = dict(before), {**dict(before), **dict(patched)}, {**dict(before), **dict(reference)}
    paths = sorted({*old, *ours, *theirs})
    pairs = [(path, ours.get(path, b""), theirs.get(path, b"")) for path in paths]
    tree = all(
        _plain_lines(mine) == _plain_lines(other) or _tree(mine) == _tree(other) != "" for _, mine, other in pairs
    )
    return Match(tree and all(_same_functions(*pair) for pair in pairs), tree)


def _same_functions(path: str, mine: bytes, other: bytes) -> bool:
    """Whether all functions have the same text; what else a file says in words is no part of a fix."""
    if _plain_lines(mine) == _plain_lines(other):
        return True
    try:
        texts = [[_plain_lines(text[f.start : f.end]) for f in functions_of(path, text)] for text in (mine, other)]
    except UnparseableError:
        return False
    return texts[0] == texts[1]


def changed_functions(path: str, before: bytes, after: bytes) -> tuple[FunctionSpan, ...]:
    """The functions of the new text that do something else than the old ones of the same names.

    Docstrings and annotations do nothing. Of nested functions the inner one is named. Of functions of one name, such as
    a getter and its setter, the first is compared with the first.
    """
    old = {name: before[f.start : f.end] for name, f in _number_functions(functions_of(path, before))}
    new = _number_functions(functions_of(path, after))
    changed = [f for name, f in new if not does_the_same(old.get(name), after[f.start : f.end])]
    return tuple(f for f in changed if not any(g is not f and f.start <= g.start and g.end <= f.end for g in changed))


def _number_functions(functions: Sequence[FunctionSpan]) -> list[tuple[tuple[str, int], FunctionSpan]]:
    """Each function by its name and its number among those of that name."""
    counted = Counter[str]()
    found = []
    for each in functions:
        counted[each.function.qualname] += 1
        found.append(((each.function.qualname, counted[each.function.qualname]), each))
    return found


def does_the_same(old: bytes | None, new: bytes) -> bool:
    """Whether two texts of a function are one program but for layout, comments, docstrings and annotations."""
    if old is None or old == new:
        return old is not None
    return _tree(old, annotated=False) == _tree(new, annotated=False) != ""


def _plain_lines(source: bytes) -> list[bytes]:
    return [line.rstrip() for line in source.strip().splitlines()]


def _tree(source: bytes, *, annotated: bool = True) -> str:
    """The program as a text without layout, docstrings and the like; ``""`` for what does not parse."""
    lines = source.splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
    try:
        tree = syntax_tree((b"if 1:\n" if indent else b"") + source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):  # texts that stand as statements do nothing
            said = [each for each in body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)]
            node.body = [each for each in body if each not in said] or [ast.Pass()]  # type: ignore[attr-defined] # it has one
        if not annotated and isinstance(node, ast.arg):
            node.annotation = None
        if not annotated and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
    return ast.dump(tree)
