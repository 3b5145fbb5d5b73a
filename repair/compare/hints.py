"""What a signature says of values that no recorded call shows: annotations, and defaults of what is never passed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Strategy = st.SearchStrategy[Any]

_MOST_ITEMS = 4
"""Items of a generated collection whose type the signature names."""
_PLAIN: dict[str, Callable[[], Strategy]] = {
    "int": lambda: st.integers(-20, 20) | st.integers(-(10**6), 10**6),
    "float": lambda: short_decimals(),
    "bool": st.booleans,
    "str": lambda: st.text("abz AZ09.-_", max_size=6),
    "bytes": lambda: st.binary(max_size=4),
    "None": st.none,
}
_ROWS = {"list": list, "List": list, "Sequence": list, "Iterable": list, "Collection": list, "set": set, "Set": set}
_MAPPINGS = ("dict", "Dict", "Mapping", "MutableMapping")


def short_decimals() -> Strategy:
    """Numbers that somebody might write: three digits behind the point, and a million at most.

    Next to nothing (1e-196, say) and in the last of sixteen digits, programs differ that nobody would tell apart.
    """
    return (st.integers(-(10**4), 10**4) | st.integers(-(10**9), 10**9)).map(lambda thousandths: thousandths / 1000)


@dataclass(frozen=True, slots=True)
class Hint:
    """One parameter as its signature has it. ``default`` is ``None`` without one; ``named`` says that it has a name."""

    name: str
    annotation: str = ""
    default: str | None = None
    named: bool = True


def strategy_of_hint(annotation: str) -> Strategy | None:
    """Values of the plain types that an annotation names; members of a union that are not plain are left out."""
    try:
        return _strategy_of_node(ast.parse(annotation.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _strategy_of_node(node: ast.expr) -> Strategy | None:
    match node:
        case ast.Constant(value=None):
            return st.none()
        case ast.Constant(value=str(text)):
            return strategy_of_hint(text)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _strategy_of_union([left, right])
        case ast.Subscript(value=base, slice=inside):
            return _strategy_of_generic(_last_name(base), inside.elts if isinstance(inside, ast.Tuple) else [inside])
    name = _last_name(node)
    if name in _PLAIN:
        return _PLAIN[name]()
    return _strategy_of_generic(name, [])


def _strategy_of_union(members: list[ast.expr]) -> Strategy | None:
    found = [strategy for strategy in map(_strategy_of_node, members) if strategy is not None]
    return st.one_of(found) if found else None


def _strategy_of_generic(name: str, inside: list[ast.expr]) -> Strategy | None:
    if name == "Literal":
        values = [part.value for part in inside if isinstance(part, ast.Constant)]
        return st.sampled_from(values) if values else None
    if name in ("Optional", "Union"):
        members = _strategy_of_union(inside)
        return members | st.none() if members is not None and name == "Optional" else members
    if name in ("Annotated", "Final"):
        return _strategy_of_node(inside[0]) if inside else None
    parts = [_strategy_of_node(part) for part in inside]
    if not parts or any(part is None for part in parts[: 2 if name in _MAPPINGS else 1]):
        return None
    known = [part for part in parts if part is not None]
    if name in _ROWS:
        return st.lists(known[0], max_size=_MOST_ITEMS).map(_ROWS[name])
    if name in _MAPPINGS and len(known) == 2:
        return st.dictionaries(known[0], known[1], max_size=_MOST_ITEMS)
    if name in ("tuple", "Tuple"):
        endless = isinstance(inside[-1], ast.Constant) and inside[-1].value is ...
        return st.lists(known[0], max_size=_MOST_ITEMS).map(tuple) if endless else st.tuples(*known)
    return None


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
