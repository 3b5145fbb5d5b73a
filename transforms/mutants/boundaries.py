"""Boundaries of comparisons: which mutants only move one, and whether the patch has it from the old function."""

from __future__ import annotations

import ast
from collections import Counter

from transforms.rules.antipatterns import trees_of

_ORDERS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_TOUCHING = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}

Order = tuple[str, str, str]
"""One side, the order, the other side."""


def moves_a_kept_boundary(old: bytes, new: bytes, mutant: bytes, encoding: str = "utf-8") -> bool:
    """Whether a mutant of the new function only takes in or leaves out equality, in an order that the old one asks for.

    `60 <= n < 120` asks for two: where the new function has `60 <= n < 3600`, the first is kept.
    """
    before, mutated = trees_of(old, new, encoding), trees_of(new, mutant, encoding)
    if before is None or mutated is None:
        return False
    known, (mine, theirs) = _orders(before[0]), (_orders(tree) for tree in mutated)
    gone, come = list((mine - theirs).elements()), list((theirs - mine).elements())
    if len(gone) != 1 or len(come) != 1:
        return False
    (one, order, other), turned = gone[0], come[0]
    return turned == _normal_order((one, _TOUCHING[order], other)) and known[gone[0]] > 0


def _orders(tree: ast.AST) -> Counter[Order]:
    """All orders that are asked for, the links of chains one by one, each from the same side."""
    found: Counter[Order] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [ast.unparse(side) for side in (node.left, *node.comparators)]
            for one, op, other in zip(sides, node.ops, sides[1:], strict=False):
                if type(op) in _ORDERS:
                    found[_normal_order((one, _ORDERS[type(op)], other))] += 1
    return found


def _normal_order(order: Order) -> Order:
    """The order from the side whose text comes first."""
    one, sign, other = order
    return order if one <= other else (other, _turn_sign(sign), one)


def _turn_sign(sign: str) -> str:
    return sign.translate(str.maketrans("<>", "><"))
