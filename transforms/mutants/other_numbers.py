"""Other numbers in the place of those that a patch brings in: rivals that nobody proposed."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import libcst as cst

from analysis.trials import Trial
from transforms.enumerate.sites import ground
from transforms.operators.operator import Neighbourhood, Site
from transforms.patch.difference import covers, region
from transforms.patch.printer import Printer
from transforms.tree.node_path import NodePath
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope

MOST_PLACES = 3
"""Numbers of a patch in whose place others are tried."""

_USUAL = (
    2,
    3,
    5,
    7,
    8,
    10,
    12,
    16,
    20,
    24,
    30,
    32,
    50,
    60,
    64,
    100,
    128,
    200,
    255,
    256,
    360,
    365,
    400,
    500,
    1000,
    1024,
)
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
    for other in dict.fromkeys((*(value * factor for factor in _FACTORS), *parts, *_USUAL)):
        if other in (0, value):
            continue
        origin = Origin("number", f"{other} in place of {value}")
        change = Replacement(site.path, (cst.Integer(str(other)),))
        trial = printer.render(Proposal(scope.function, (change,), origin))
        if isinstance(trial, Trial):
            yield trial
