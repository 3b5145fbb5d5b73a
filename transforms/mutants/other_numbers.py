"""Other numbers in the place of those that a patch brings in: rivals that nobody proposed.

Mutants that only move a boundary are told apart where the patch has it from the old function.
"""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterator

import libcst as cst

from analysis.trials import Trial
from transforms.enumerate.sites import ground
from transforms.operators.operator import Neighbourhood, Site
from transforms.patch.difference import covers, region
from transforms.patch.printer import Printer
from transforms.rules.antipatterns import trees_of
from transforms.tree.node_path import NodePath
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope

MOST_PLACES = 3
"""Numbers of a patch in whose place others are tried."""

USUAL = (2, 3, 5, 7, 8, 10, 12, 16, 20, 24, 30, 32, 50, 60, 64, 100, 128, 200, 255, 256, 360, 365, 400, 500, 1000, 1024)
"""Numbers that programs are often made with."""

_FACTORS = (2, 3, 5, 10)
"""What a number is multiplied with, or divided by where that leaves no rest."""


def other_numbers(new: EditScope, old: EditScope) -> tuple[Trial, ...]:
    """The new function with another usual number, or a multiple or part, for one that the change puts in, each place
    in turn.

    A number is put in where the changed statements hold it more often than the old ones did.
    """
    where = region(old.node, new.node)
    before = Counter(_value(site) for site in _numbers(old, where.old))
    sites = _numbers(new, where.new)
    more = Counter(_value(site) for site in sites) - before
    chosen = [site for site in sites if more[_value(site)]][:MOST_PLACES]
    printer = Printer(new)
    streams = [_others(new, printer, site) for site in chosen]
    return tuple(trial for turn in itertools.zip_longest(*streams) for trial in turn if trial is not None)


def _numbers(scope: EditScope, paths: tuple[NodePath, ...]) -> list[Site]:
    sites = ground(scope, Neighbourhood()).sites
    return [site for site in sites if isinstance(site.node, cst.Integer) and covers(paths, site.path)]


def _value(site: Site) -> int:
    assert isinstance(site.node, cst.Integer), "only numbers are asked"
    return int(site.node.evaluated_value)


def _others(scope: EditScope, printer: Printer, site: Site) -> Iterator[Trial]:
    value = _value(site)
    parts = [value // factor for factor in _FACTORS if value % factor == 0]
    for other in dict.fromkeys((*(value * factor for factor in _FACTORS), *parts, *USUAL)):
        if other in (0, value):
            continue
        origin = Origin("number", f"{other} in place of {value}")
        change = Replacement(site.path, (cst.Integer(str(other)),))
        trial = printer.render(Proposal(scope.function, (change,), origin))
        if isinstance(trial, Trial):
            yield trial


_ORDERS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_TOUCHING = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}

Order = tuple[str, str, str]
"""One side, the order, the other side."""


def moves_a_kept_boundary(old: bytes, new: bytes, mutant: bytes, encoding: str = "utf-8") -> bool:
    """Whether a mutant of the new function only takes in or leaves out equality, in an order that the old one asks for.

    ``60 <= n < 120`` asks for two: where the new function has ``60 <= n < 3600``, the first is kept.
    """
    known, (mine, theirs) = _orders(trees_of(old, new, encoding)[0]), map(_orders, trees_of(new, mutant, encoding))
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
    return order if one <= other else (other, sign.translate(str.maketrans("<>", "><")), one)
