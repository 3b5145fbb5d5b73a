"""The lines that a change makes, as a tracer sees them, and unchanged lines that read what it binds otherwise.

A unit is one statement, or the head of a compound one: it was run when any of its lines was. Statements that leave no
line of their own in the byte code of some Python (``pass``, ``try:``, a docstring) are no units.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher

import libcst as cst

from analysis.statement_lines import has_run
from analysis.trials import Trial
from transforms.enumerate.sites import ground
from transforms.mutants.made import Mutant
from transforms.mutants.statements import FunctionParts, Part, parts_of
from transforms.operators.operator import Neighbourhood
from transforms.patch.apply import render
from transforms.patch.difference import carried_over, covers, region
from transforms.patch.renaming import restore_old_names
from transforms.tree.node_path import NodePath
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope


@dataclass(frozen=True, slots=True)
class Unit:
    """One statement, or the head of a compound one, by its lines in the file."""

    first: int
    last: int

    def has_run(self, executed: Set[int]) -> bool:
        """Whether any of its lines is among these: one of lines 2 to 4 where 3 was executed."""
        return has_run((self.first, self.last), executed)


@dataclass(frozen=True, slots=True)
class Dependent:
    """An unchanged unit of the new function that reads a name which the change binds otherwise.

    ``before`` is the same unit in the old file.
    """

    unit: Unit
    name: str
    before: Unit


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """Units of the new function that differ (beside a pure deletion its neighbour), and those that hang on them."""

    changed: tuple[Unit, ...]
    dependents: tuple[Dependent, ...]


def changed_lines(old: EditScope, new: EditScope) -> ChangedLines:
    """What the change of one function amounts to, line by line; nothing where the engine cannot read it."""
    where = region(old.node, new.node)
    before, after = (parts_of(scope.text.decode(scope.encoding)) for scope in (old, new))
    if before is None or after is None:
        return ChangedLines((), ())
    edited = after.parts_at(_lines(new, where.new))
    beside = edited or after.parts_at(_lines(new, where.new_gaps))
    changed = [part for part in beside if not part.silent] or [part.around for part in beside if part.around]
    units = sorted({_unit(part, new) for part in changed}, key=lambda unit: (unit.first, unit.last))
    if not (where.new or where.old) and _head(old) != _head(new):
        units = [Unit(new.function.first_line, new.line_of(after.parts[0].first - 1))]
    return ChangedLines(tuple(units), tuple(_dependents(old, new, before, after, edited, _lines(old, where.old))))


def _dependents(
    old: EditScope, new: EditScope, before: FunctionParts, after: FunctionParts, edited: Sequence[Part], gone: Set[int]
) -> list[Dependent]:
    bound = frozenset[str]().union(*(part.binds for part in edited))
    lost = frozenset[str]().union(*(part.binds for part in before.parts_at(gone))) - bound
    found = []
    # Lines of the new text that the old one has too, but for other names of locals, with their places there.
    texts = _code(old.node), _code(restore_old_names(old.node, new.node))
    blocks = SequenceMatcher(None, *texts, autojunk=False).get_matching_blocks()
    shift = {block.b + n + 1: block.a + n + 1 for block in blocks for n in range(block.size)}
    for part in after.parts:
        if part.silent or part in edited or part.first not in shift:
            continue
        read = sorted(
            name for name in (bound | lost) & part.reads if after.is_reached(part, name, edited, lost=name in lost)
        )
        if read:
            unit = _unit(part, new)
            first = shift[part.first] + old.function.first_line - 1
            found.append(Dependent(unit, read[0], Unit(first, first + unit.last - unit.first)))
    return found


def _head(scope: EditScope) -> list[str]:
    """What runs where the function is defined: decorators and parameters."""
    return [cst.Module([]).code_for_node(part) for part in (*scope.node.decorators, scope.node.params)]


def _unit(part: Part, scope: EditScope) -> Unit:
    return Unit(scope.line_of(part.first), scope.line_of(part.last))


def _lines(scope: EditScope, paths: Sequence[NodePath]) -> frozenset[int]:
    """Lines, from 1 in the function's own text, at which statements and expressions begin that the paths lead to."""
    return frozenset(
        site.line - scope.function.first_line + 1
        for site in ground(scope, Neighbourhood()).sites
        if site.role != "part" and covers(paths, site.path)
    )


def _code(node: cst.FunctionDef) -> list[bytes]:
    """The lines without comments: another comment makes no other line. What is cut of a string is cut in both texts."""
    lines = cst.Module([]).code_for_node(node.with_changes(leading_lines=())).encode().splitlines()
    return [line.partition(b"#")[0].rstrip() for line in lines]


def abort_mutants(new: EditScope, old: EditScope) -> tuple[Mutant, ...]:
    """One for each plain statement that the change brings in, and for each branch of a new ``… if … else …``.

    A statement that the change only nests otherwise or moves is left out.
    """
    where = region(old.node, new.node)
    kept = carried_over(old.node, new.node, where)
    found: list[Mutant] = []
    for site in ground(new, Neighbourhood()).sites:
        if not covers(where.new, site.path) or covers(kept, site.path):
            continue
        for path, node in _stops(site.path, site.node):
            trial = render(new, Proposal(new.function, (Replacement(path, (node,)),), Origin("mutation", "stop")))
            if isinstance(trial, Trial):
                found.append(Mutant(trial.text, "stop", "ends there", site.line))
    return tuple(found)


def _stops(path: NodePath, node: cst.CSTNode) -> Iterator[tuple[NodePath, cst.CSTNode]]:
    """What takes the place of the node, or of parts of it."""
    match node:
        case cst.SimpleStatementLine():
            yield path, cst.parse_statement("raise NotImplementedError")
        case cst.SimpleStatementSuite():
            yield path, cst.SimpleStatementSuite([cst.Raise(cst.Name("NotImplementedError"))])
        case cst.IfExp():
            yield from (((*path, branch), cst.parse_expression("().nothing")) for branch in ("body", "orelse"))
