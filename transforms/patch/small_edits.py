"""The difference of two functions as independent small edits, any selection of which can be made.

Blocks are aligned statement by statement. A statement that has a counterpart of its own kind is taken apart further,
down to the expressions that differ. What differs in layout only keeps the old layout.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from transforms.tree.parens import breaks_line, parenthesize, seat_children
from transforms.tree.shape import is_layout, same_shape, shape


@dataclass(frozen=True, slots=True)
class Kept:
    """A part that both functions have."""

    node: cst.CSTNode


@dataclass(frozen=True, slots=True)
class Atom:
    """One edit: nodes of the old function, and those that may stand there instead."""

    number: int
    old: tuple[cst.CSTNode, ...]
    new: tuple[cst.CSTNode, ...]


@dataclass(frozen=True, slots=True)
class Inner:
    """A node of the old function that differs in some of its fields."""

    node: cst.CSTNode
    fields: tuple[tuple[str, tuple[Plan, ...]], ...]


Plan = Kept | Atom | Inner

_OPTIONAL = frozenset({"orelse", "finalbody"})


def plan_of(old: cst.CSTNode, new: cst.CSTNode) -> Plan:
    """The edits that lead from the old node to the new one."""
    return _plan(old, new, itertools.count())


def atoms_of(plan: Plan) -> Iterator[Atom]:
    """All edits of a plan, in order."""
    match plan:
        case Atom():
            yield plan
        case Inner(_, parts):
            yield from (atom for _, plans in parts for part in plans for atom in atoms_of(part))


def build(plan: Plan, chosen: frozenset[int]) -> tuple[cst.CSTNode, ...]:
    """The old nodes with the chosen edits made. Raises what the library raises when they make no sense together."""
    match plan:
        case Kept(node):
            return (node,)
        case Atom(number, old, new):
            return new if number in chosen else old
        case Inner(node, parts):
            changes: dict[str, Any] = {}
            for name, plans in parts:
                nodes = [built for plan in plans for built in build(plan, chosen)]
                is_sequence = isinstance(getattr(node, name), (tuple, list))
                changes[name] = nodes if is_sequence else nodes[0] if nodes else None
            return (seat_children(node.with_changes(**changes)),)


def _plan(old: cst.CSTNode, new: cst.CSTNode, numbers: Iterator[int]) -> Plan:
    if same_shape(old, new):
        return Kept(old)
    pairs = _pairs(old, new)
    if pairs is None:
        closed = parenthesize(new) if isinstance(new, cst.BaseExpression) and breaks_line(new) else new
        return Atom(next(numbers), (old,), (closed,))
    fields: list[tuple[str, tuple[Plan, ...]]] = []
    for name, one, other in pairs:
        if isinstance(one, (tuple, list)):
            plans = tuple(_sequence_plans(one, other, numbers))
        elif one is None or other is None:
            plans = (Atom(next(numbers), () if one is None else (one,), () if other is None else (other,)),)
        else:
            plans = (_plan(one, other, numbers),)
        fields.append((name, plans))
    return Inner(old, tuple(fields))


def _pairs(old: cst.CSTNode, new: cst.CSTNode) -> list[tuple[str, Any, Any]] | None:
    """The differing fields, when the nodes can be taken apart: same kind, same words, parts that pair up."""
    if type(old) is not type(new) or isinstance(old, (cst.SimpleStatementSuite, cst.FormattedString)):
        return None
    found: list[tuple[str, Any, Any]] = []
    names: tuple[str, ...] = old.__match_args__
    for name in names:
        one, other = getattr(old, name), getattr(new, name)
        match _verdict(old, name, one, other):
            case "differs":
                found.append((name, one, other))
            case "apart":
                return None
    return found or None


def _verdict(parent: cst.CSTNode, name: str, one: Any, other: Any) -> str:
    if isinstance(one, cst.CSTNode) and isinstance(other, cst.CSTNode):
        return "same" if is_layout(one) or is_layout(other) or same_shape(one, other) else "differs"
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        olds, news = ([shape(node) for node in nodes if not is_layout(node)] for nodes in (one, other))
        may_grow = isinstance(parent, cst.IndentedBlock) and name == "body"
        return "same" if olds == news else "differs" if len(olds) == len(news) or may_grow else "apart"
    if name in _OPTIONAL and (one is None or other is None):
        return "same" if one is other else "differs"
    if isinstance(one, str) and isinstance(other, str) and name not in ("indent", "end"):
        return "same" if one == other else "apart"
    nodes = [value for value in (one, other) if isinstance(value, cst.CSTNode) and not is_layout(value)]
    return "apart" if nodes and not isinstance(nodes[0], cst.AssignEqual) else "same"


def _sequence_plans(old: Sequence[cst.CSTNode], new: Sequence[cst.CSTNode], numbers: Iterator[int]) -> Iterator[Plan]:
    matcher = difflib.SequenceMatcher(None, list(map(shape, old)), list(map(shape, new)), autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            yield from (Kept(node) for node in old[i1:i2])
        elif i2 - i1 == j2 - j1:
            yield from (_plan(one, other, numbers) for one, other in zip(old[i1:i2], new[j1:j2], strict=True))
        else:
            yield from _uneven_plans(old[i1:i2], new[j1:j2], numbers)


def _uneven_plans(old: Sequence[cst.CSTNode], new: Sequence[cst.CSTNode], numbers: Iterator[int]) -> Iterator[Plan]:
    """Statements of the same kind are counterparts, in order; every other one comes or goes on its own."""
    matcher = difflib.SequenceMatcher(None, list(map(_kind, old)), list(map(_kind, new)), autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            yield from (_plan(one, other, numbers) for one, other in zip(old[i1:i2], new[j1:j2], strict=True))
        else:
            yield from (Atom(next(numbers), (node,), ()) for node in old[i1:i2])
            yield from (Atom(next(numbers), (), (node,)) for node in new[j1:j2])


def _kind(statement: cst.CSTNode) -> tuple[str, ...]:
    parts = statement.body if isinstance(statement, cst.SimpleStatementLine) else [statement]
    return tuple(type(part).__name__ for part in parts)
