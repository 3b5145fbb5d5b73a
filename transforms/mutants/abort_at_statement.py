"""A changed function that ends where one of its new statements is reached: whoever runs that statement notices."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from analysis.trials import Trial
from transforms.enumerate.sites import ground
from transforms.mutants.made import Mutant
from transforms.operators.operator import Neighbourhood
from transforms.patch.apply import render
from transforms.patch.difference import carried_over, covers, region
from transforms.tree.node_path import NodePath
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope


def abort_mutants(new: EditScope, old: EditScope) -> tuple[Mutant, ...]:
    """One for each plain statement that the change brings in, and for each branch of a new ``… if … else …``.

    A statement that the change only nests otherwise or moves is left out.
    """
    return tuple(_each_abort(new, old))


def _each_abort(new: EditScope, old: EditScope) -> Iterator[Mutant]:
    where = region(old.node, new.node)
    kept = carried_over(old.node, new.node, where)
    for site in ground(new, Neighbourhood()).sites:
        if not covers(where.new, site.path) or covers(kept, site.path):
            continue
        for path, node in _stops(site.path, site.node):
            trial = render(new, Proposal(new.function, (Replacement(path, (node,)),), Origin("mutation", "stop")))
            if isinstance(trial, Trial):
                yield Mutant(trial.text, "stop", "ends there", site.line)


def _stops(path: NodePath, node: cst.CSTNode) -> Iterator[tuple[NodePath, cst.CSTNode]]:
    """What takes the place of the node, or of parts of it."""
    match node:
        case cst.SimpleStatementLine():
            yield path, cst.parse_statement("raise NotImplementedError")
        case cst.SimpleStatementSuite():
            yield path, cst.SimpleStatementSuite([cst.Raise(cst.Name("NotImplementedError"))])
        case cst.IfExp():
            yield from (((*path, branch), cst.parse_expression("().nothing")) for branch in ("body", "orelse"))
