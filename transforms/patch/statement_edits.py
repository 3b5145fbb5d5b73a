"""Edits of whole statements and of expressions that refer to one original, as replacements that never nest.

An edit of a statement on a line with others, or behind a colon, gives each of them a line of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import libcst as cst

from transforms.tree.candidate import Rejected, RejectReason
from transforms.tree.fragments import Statement as StatementNode
from transforms.tree.imports import as_block
from transforms.tree.node_path import NodePath, node_at
from transforms.tree.placing import replace_node
from transforms.tree.proposal import Replacement

Nodes = tuple[StatementNode, ...]


@dataclass(frozen=True, slots=True)
class ExpressionEdit:
    """One expression in the place of another."""

    at: NodePath
    node: cst.BaseExpression


@dataclass(frozen=True, slots=True)
class RunEdit:
    """Statements in the place of consecutive ones of one block; none deletes them."""

    run: tuple[NodePath, ...]
    nodes: Nodes


@dataclass(frozen=True, slots=True)
class InsertEdit:
    """Statements before or after the one at the path."""

    at: NodePath
    nodes: Nodes
    before: bool


StatementEdit = ExpressionEdit | RunEdit | InsertEdit


def replacements_of(function: cst.FunctionDef, edits: Sequence[StatementEdit]) -> tuple[Replacement, ...] | Rejected:
    """The edits as replacements in the function, or why they are none: two of them touch the same code.

    Insertions at one place stay in the order of the edits.
    """
    if _overlap(edits):
        return Rejected(RejectReason.NOT_UNIQUE, "two of the edits touch the same code")
    changes: dict[NodePath, _Change] = {}
    for edit in edits:
        if isinstance(edit, InsertEdit):
            old = changes.get(edit.at, _NONE)
            grown = (
                replace(old, before=(*old.before, *edit.nodes))
                if edit.before
                else replace(old, after=(*old.after, *edit.nodes))
            )
            changes[edit.at] = grown
        elif isinstance(edit, RunEdit):
            for index, at in enumerate(edit.run):
                changes[at] = replace(changes.get(at, _NONE), instead=() if index else edit.nodes)
    _keep_blocks_filled(function, changes)
    found = {edit.at: Replacement(edit.at, (edit.node,)) for edit in edits if isinstance(edit, ExpressionEdit)}
    units: dict[NodePath, dict[int, _Change]] = {}
    for at, change in changes.items():
        swap = _swap(function, at, change)
        if swap is not None:
            found[at] = swap
            continue
        unit, number = _unit_of(function, at)
        units.setdefault(unit, {})[number] = change
    # From the inside out: an edit around another one takes it along.
    for unit in sorted(units, key=len, reverse=True):
        made = _change_unit(function, unit, units[unit], found)
        if isinstance(made, Rejected):
            return made
        found |= {made.at: made}
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Change:
    """What becomes of one statement: ``instead`` is ``None`` where it stays."""

    before: Nodes = ()
    instead: Nodes | None = None
    after: Nodes = ()


_NONE = _Change()


def _overlap(edits: Sequence[StatementEdit]) -> bool:
    """Whether one edit changes what another one replaces."""
    for one in edits:
        gone = one.run if isinstance(one, RunEdit) else (one.at,) if isinstance(one, ExpressionEdit) else ()
        if any(_reaches_into(other, at, gone) for other in edits if other is not one for at in gone):
            return True
    return False


def _reaches_into(edit: StatementEdit, at: NodePath, gone: tuple[NodePath, ...]) -> bool:
    """Whether the edit changes something at or below the path. At either end of a run something may be inserted."""
    if isinstance(edit, InsertEdit):
        is_outside = edit.at == (gone[0] if edit.before else gone[-1])
        return edit.at[: len(at)] == at and not is_outside
    touched = edit.run if isinstance(edit, RunEdit) else (edit.at,)
    return any(path[: len(at)] == at for path in touched)


def _keep_blocks_filled(function: cst.FunctionDef, changes: dict[NodePath, _Change]) -> None:
    """Where a whole block goes, ``pass`` stays."""
    for at, change in tuple(changes.items()):
        if change.instead is None or change.before or change.instead or change.after:
            continue
        block = _block_of(function, at)
        if all(changes.get(path, _Change(instead=(_PASS,))) == _Change(instead=()) for path in block):
            changes[at] = _Change(instead=(_PASS,))


_PASS = cst.SimpleStatementLine([cst.Pass()])


def _block_of(function: cst.FunctionDef, at: NodePath) -> list[NodePath]:
    """The paths of all statements of the block that a statement stands in."""
    small = isinstance(node_at(function, at), cst.BaseSmallStatement)
    suite = node_at(function, at[:-2])
    block = at[:-4] if small and isinstance(suite, cst.SimpleStatementLine) else at[:-2]
    paths: list[NodePath] = []
    for index, element in enumerate(node_at(function, block).body):
        path = (*block, "body", index)
        smalls = element.body if isinstance(element, cst.SimpleStatementLine) else ()
        paths += [(*path, "body", number) for number in range(len(smalls))] if smalls else [path]
    return paths


def _swap(function: cst.FunctionDef, at: NodePath, change: _Change) -> Replacement | None:
    """The replacement of one of several statements on a line by another, where nothing else happens there."""
    old = node_at(function, at)
    if not isinstance(old, cst.BaseSmallStatement) or change.before or change.after or len(change.instead or ()) != 1:
        return None
    around, (new,) = node_at(function, at[:-2]), change.instead or ()
    alone = isinstance(around, cst.SimpleStatementLine) and len(around.body) == 1
    if alone or not isinstance(new, cst.SimpleStatementLine) or len(new.body) != 1:
        return None
    if new.leading_lines or new.trailing_whitespace.comment is not None:
        return None
    return Replacement(at, (new.body[0].with_changes(semicolon=old.semicolon),))


def _unit_of(function: cst.FunctionDef, at: NodePath) -> tuple[NodePath, int]:
    """What is replaced where a statement changes, and which of its statements that is.

    A line with all of its statements, all that stands behind a colon, or a compound statement.
    """
    if isinstance(node_at(function, at), cst.BaseSmallStatement):
        number = at[-1]
        assert isinstance(number, int), "a statement is an element of a block"
        return at[:-2], number
    return at, 0


def _change_unit(
    function: cst.FunctionDef, unit: NodePath, changes: dict[int, _Change], found: dict[NodePath, Replacement]
) -> Replacement | Rejected:
    """The one replacement for a unit, with the replacements inside of it, which are taken out of those found."""
    inside = sorted(at for at in found if at[: len(unit)] == unit)
    changed: cst.CSTNode = function
    for at in reversed(inside):
        made = replace_node(function, changed, found.pop(at))
        if isinstance(made, Rejected):
            return made
        changed = made
    old = node_at(changed, unit)
    if isinstance(old, cst.SimpleStatementSuite):
        lines = as_block(old)
        body = [node for number, line in enumerate(lines.body) for node in _around(changes.get(number, _NONE), line)]
        return Replacement(unit, (lines.with_changes(body=body),))
    if isinstance(old, cst.SimpleStatementLine) and len(old.body) > 1:
        apart = _lines_of(old)
        return Replacement(
            unit, tuple(n for number, line in enumerate(apart) for n in _around(changes.get(number, _NONE), line))
        )
    return Replacement(unit, _around(changes[0], old))


def _around(change: _Change, old: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    return (*change.before, *((old,) if change.instead is None else change.instead), *change.after)


def _lines_of(line: cst.SimpleStatementLine) -> list[cst.SimpleStatementLine]:
    """A line for each of the statements of one line; what stands above and behind it stays there."""
    bare = [small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT) for small in line.body]
    lines = [cst.SimpleStatementLine([small]) for small in bare]
    lines[0] = lines[0].with_changes(leading_lines=line.leading_lines)
    lines[-1] = lines[-1].with_changes(trailing_whitespace=line.trailing_whitespace)
    return lines
