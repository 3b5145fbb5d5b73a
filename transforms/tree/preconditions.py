"""Conditions that a constraint puts on an operation, as text: when it must not be reached, and when it may be."""

from __future__ import annotations

import libcst as cst

from analysis.facts import Constraint, ConstraintKind
from transforms.tree.code_text import operand
from transforms.tree.fragments import parse_expression


def avoid(c: Constraint) -> list[str]:
    """Conditions under which the operation must not be reached."""
    x = operand(c.expression, "<")
    if not c.expression:
        return []
    if c.kind is ConstraintKind.NULLABLE:
        return [f"{x} is None", f"not {x}"]
    if c.kind is ConstraintKind.EMPTY_SEQUENCE:
        return [f"not {x}"]
    if c.kind is ConstraintKind.ZERO_DIVISOR:
        return [f"{x} == 0", f"not {x}"]
    if c.kind is ConstraintKind.WRONG_TYPE:
        name = c.detail if c.detail.isidentifier() else ""
        return [f"isinstance({c.expression}, {name})"] if name not in ("", "unsuitable") else []
    if c.kind is ConstraintKind.OPTIONAL_ATTRIBUTE:
        return [f"not hasattr({c.expression}, {c.detail!r})"]
    return _avoid_operation(c)


def _avoid_operation(c: Constraint) -> list[str]:
    node = parse_expression(c.expression)
    if not isinstance(node, cst.Subscript) or len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
        return []
    printer = cst.Module([])
    base, key = printer.code_for_node(node.value), printer.code_for_node(node.slice[0].slice.value)
    if c.kind is ConstraintKind.MISSING_KEY:
        return [f"{operand(key, '<')} not in {operand(base, '<')}"]
    return [f"not {operand(base, 'not')}", f"len({base}) <= {operand(key, '<')}"]


def allow(bad: str) -> str:
    """The opposite of such a condition."""
    for old, new in ((" is None", " is not None"), (" not in ", " in "), (" == 0", " != 0"), (" <= ", " > ")):
        if old in bad:
            return bad.replace(old, new)
    return bad[4:] if bad.startswith("not ") else f"not {operand(bad, 'not')}"
