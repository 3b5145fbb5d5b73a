"""The changed region: the statements in which two versions of one function differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import libcst as cst

from transforms.patch.renaming import restore_old_names
from transforms.tree.node_path import NodePath, node_at, steps, walk


@dataclass(frozen=True, slots=True)
class Region:
    """Paths, from each function's own node, of what differs.

    A path leads to a whole statement, or to one expression of a compound statement's head. ``gaps`` are
    the statements beside a place where the other version has something and this one has nothing.
    """

    old: tuple[NodePath, ...]
    new: tuple[NodePath, ...]
    old_gaps: tuple[NodePath, ...]
    new_gaps: tuple[NodePath, ...]


def region(old: cst.FunctionDef, new: cst.FunctionDef) -> Region:
    """Where the two functions differ; comments, blank lines and other names of locals do not count."""
    new = restore_old_names(old, new)
    found: _Found = {"old": [], "new": [], "old_gaps": [], "new_gaps": []}
    _compare(("body",), old.body, ("body",), new.body, found)
    return Region(**{side: tuple(paths) for side, paths in found.items()})


def carried_over(old: cst.FunctionDef, new: cst.FunctionDef, where: Region) -> tuple[NodePath, ...]:
    """Statements of the new region that stand word for word in the old function, and no longer there: not written."""
    new = restore_old_names(old, new)
    left = Counter(_text(node) for _, node in walk(old) if _is_statement(node))
    left.subtract(_text(node) for at, node in walk(new) if _is_statement(node) and not covers(where.new, at))
    found: list[NodePath] = []
    for path in where.new:
        for at, node in walk(node_at(new, path), path):
            if _is_statement(node) and left[_text(node)] > 0 and not covers(found, at):
                left[_text(node)] -= 1
                found.append(at)
    return tuple(found)


def carried_expressions(old: cst.FunctionDef, new: cst.FunctionDef, where: Region) -> tuple[NodePath, ...]:
    """The largest expressions of the new region that stand word for word in the old one: not written either."""
    new = restore_old_names(old, new)
    left = Counter(text for path in where.old for text in _expressions(node_at(old, path)))
    found: list[NodePath] = []
    for path in where.new:
        for at, node in walk(node_at(new, path), path):
            if isinstance(node, cst.BaseExpression) and not covers(found, at) and left[_text(node)] > 0:
                left.subtract(_expressions(node))
                found.append(at)
    return tuple(found)


def _expressions(node: cst.CSTNode) -> Iterator[str]:
    return (_text(each) for _, each in walk(node) if isinstance(each, cst.BaseExpression))


def _is_statement(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement))


_Found = dict[str, list[NodePath]]
"""The paths of a region, by its fields, while they are found."""


def _compare(at: NodePath, old: cst.CSTNode, to: NodePath, new: cst.CSTNode, found: _Found) -> None:
    """Two blocks, statement by statement."""
    before, after = (list(getattr(block, "body", ())) for block in (old, new))
    matcher = SequenceMatcher(None, [_text(s) for s in before], [_text(s) for s in after], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        pairs = _pairs(before[i1:i2], after[j1:j2])
        for i, j in pairs:
            mine, theirs = (*at, "body", i1 + i), (*to, "body", j1 + j)
            one, other = before[i1 + i], after[j1 + j]
            if type(one) is type(other) and isinstance(one, cst.BaseCompoundStatement):
                _parts(mine, one, theirs, other, found)
            else:
                found["old"].append(mine)
                found["new"].append(theirs)
        left, right = {i for i, _ in pairs}, {j for _, j in pairs}
        gone = [i for i in range(i1, i2) if i - i1 not in left]
        added = [j for j in range(j1, j2) if j - j1 not in right]
        found["old"] += [(*at, "body", i) for i in gone]
        found["new"] += [(*to, "body", j) for j in added]
        if gone and not added:
            found["new_gaps"] += _statement_beside((*to, "body"), j2, len(after))
        if added and not gone:
            found["old_gaps"] += _statement_beside((*at, "body"), i2, len(before))


def _pairs(old: Sequence[cst.CSTNode], new: Sequence[cst.CSTNode]) -> list[tuple[int, int]]:
    """Statements that stand for each other: all where the counts agree, else those of one compound type, in order."""
    if len(old) == len(new):
        return list(zip(range(len(old)), range(len(new)), strict=True))
    pairs, start = [], 0
    for i, node in enumerate(old):
        if not isinstance(node, cst.BaseCompoundStatement):
            continue
        for j in range(start, len(new)):
            if type(new[j]) is type(node):
                pairs.append((i, j))
                start = j + 1
                break
    return pairs


def _parts(at: NodePath, old: cst.CSTNode, to: NodePath, new: cst.CSTNode, found: _Found) -> None:
    """Two compound statements (or clauses of one) of one type: heads, then blocks; the whole where only one waits."""
    if (getattr(old, "asynchronous", None) is None) != (getattr(new, "asynchronous", None) is None):
        found["old"].append(at)
        found["new"].append(to)
        return
    mine, theirs = dict(_children(old)), dict(_children(new))
    for step, node in theirs.items():
        other = mine.get(step)
        if other is None:
            found["new"].append(to + step)
            found["old_gaps"].append(at)
        elif isinstance(node, cst.BaseSuite) and isinstance(other, cst.BaseSuite):
            _compare(at + step, other, to + step, node, found)
        elif type(node) is type(other) and (_is_clause(node) or (isinstance(node, cst.If) and step == ("orelse",))):
            _parts(at + step, other, to + step, node, found)
        elif _text(node) != _text(other):
            found["old"].append(at + step)
            found["new"].append(to + step)
    for step in mine:
        if step not in theirs:
            found["old"].append(at + step)
            found["new_gaps"].append(to)


def _is_clause(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.Else, cst.ExceptHandler, cst.ExceptStarHandler, cst.Finally, cst.MatchCase))


_IN_HEADS = (cst.BaseExpression, cst.WithItem, cst.Parameters, cst.Decorator, cst.Arg)
"""What the head of a compound statement is made of: of a function or class inside it, too."""


def _children(node: cst.CSTNode) -> Iterator[tuple[NodePath, cst.CSTNode]]:
    for step, child in steps(node):
        if isinstance(child, (*_IN_HEADS, cst.BaseSuite, cst.If)) or _is_clause(child):
            yield step, child


def _text(node: cst.CSTNode) -> str:
    bare = node.with_changes(leading_lines=()) if hasattr(node, "leading_lines") else node
    if isinstance(bare, cst.SimpleStatementLine):
        bare = bare.with_changes(trailing_whitespace=cst.TrailingWhitespace())
    return cst.Module([]).code_for_node(bare)


def _statement_beside(block: NodePath, index: int, length: int) -> list[NodePath]:
    """The statement behind a gap, or before it where it is the last."""
    if index < length:
        return [(*block, index)]
    return [(*block, length - 1)] if length else []


def covers(paths: Sequence[NodePath], path: NodePath) -> bool:
    """Whether the path leads to one of these nodes or below: ``("body", 0, "value")`` is below ``("body", 0)``."""
    return any(path[: len(each)] == each for each in paths)
