"""Words that somebody gives for one function: pieces of code that a fix may contain, likeliest first.

A model gives the words and search the grammar: most small fixes lack few leaves that the changed place does not hold.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from analysis.capability import new_capabilities
from analysis.danger import DangerLevel
from transforms.ingredients.within_reach import Ingredients
from transforms.ingredients.word_counts import Ingredient

WEIGHT = 10.0
"""What the first given word weighs: more than anything that stands in the function."""

_KINDS: tuple[tuple[type[ast.AST], str], ...] = (
    (ast.Name, "constants"),
    (ast.Attribute, "attributes"),
    (ast.Call, "calls"),
    (ast.Compare, "conditions"),
    (ast.BoolOp, "conditions"),
)


def usable_words(words: Sequence[str], reach: Ingredients, module: str = "") -> tuple[str, ...]:
    """The words that are Python, and whose names are bound in the function or mean something in its module.

    What a gate would reject wherever it stood (an exit, a process, a test framework) is left out.
    """
    bound = (word for word in words if (tree := _read(word)) is not None and _is_bound(tree, reach))
    return tuple(word for word in bound if not _is_refused(word, module))


def _is_refused(word: str, module: str) -> bool:
    body = "".join(f"    {line}\n" for line in word.strip().splitlines())
    found = new_capabilities("def f():\n    pass\n", f"def f():\n{body}", module, frozenset())
    return any(each.severity is DangerLevel.REJECT for each in found)


def with_words(reach: Ingredients, words: Sequence[str]) -> Ingredients:
    """The ingredients with these usable words in front, each under its kind."""
    found: dict[str, list[Ingredient]] = {}
    for rank, word in enumerate(words):
        for kind, text in _kinds_of(word):
            found.setdefault(kind, []).append(Ingredient(text, WEIGHT / (1 + rank), 0))
    more: dict[str, Any] = {kind: (*given, *getattr(reach, kind)) for kind, given in found.items()}
    return replace(reach, **more)


def _kinds_of(word: str) -> Iterator[tuple[str, str]]:
    """Under which kinds the word is an ingredient, and with which text."""
    tree = _read(word)
    only = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    if not isinstance(only, ast.Expr):
        yield "statements", word
        return
    node = only.value
    if isinstance(node, ast.Constant):
        yield "strings" if isinstance(node.value, (str, bytes)) else "numbers", word
        return
    yield next((kind for known, kind in _KINDS if isinstance(node, known)), "expressions"), word
    if isinstance(node, ast.Attribute):
        yield "attribute_names", node.attr
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield "methods", node.func.attr


def _read(word: str) -> ast.Module | None:
    try:
        return ast.parse(word.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_bound(tree: ast.Module, reach: Ingredients) -> bool:
    """Whether all names that it reads are known, or bound in itself: ``n`` of ``[n for n in xs]``."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    own = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    known = {*own, *reach.parameters, *reach.bound, *(each.text for each in reach.names), "self", "cls"}
    return all(node.id in known or reach.means(node.id) for node in names)
