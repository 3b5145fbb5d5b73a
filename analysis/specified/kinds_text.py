"""Kinds of values in one spelling, whatever a language calls them, and bounds of numbers as text."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from analysis.stated.annotation import kinds_of

OF_OPENAPI = {
    "integer": ("int",),
    "number": ("float", "int"),
    "string": ("str",),
    "boolean": ("bool",),
    "array": ("list",),
    "object": ("dict",),
    "null": ("NoneType",),
}
"""Kinds by the names of JSON Schema."""

KNOWN = frozenset(
    ("int", "float", "str", "bytes", "bool", "list", "tuple", "dict", "set", "frozenset", "NoneType", "complex")
)


def kinds_text(kinds: Iterable[str]) -> str:
    """``NoneType | int`` for these kinds, in one order."""
    return " | ".join(sorted(dict.fromkeys(kinds)))


def annotation_text(node: ast.expr) -> str:
    """An annotation's kinds where they are the language's own, else as it is written, a string's quotes taken off."""
    kinds = kinds_of(node)
    if kinds:
        return kinds_text(kinds)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    try:
        return ast.unparse(node)
    except RecursionError:
        return ""


def kinds_from_text(text: str) -> frozenset[str] | None:
    """The kinds that a value of ``TYPE`` names; ``None`` where one of them is a class of somebody's own."""
    found = frozenset(each.strip() for each in text.split("|"))
    return found if found and found <= KNOWN else None


def literals_text(values: Iterable[object]) -> str:
    """A row of values, each once, in one order: ``'a', 'b'``."""
    return ", ".join(sorted(dict.fromkeys(map(repr, values))))


def widened(kinds: frozenset[str]) -> frozenset[str]:
    """The kinds with those that stand for them in practice: an ``int`` where a ``float`` is wanted, a ``bool`` too."""
    more = {"float": ("int", "bool"), "int": ("bool",), "complex": ("int", "float"), "tuple": ("list",)}
    return kinds | {each for kind in kinds for each in more.get(kind, ())}
