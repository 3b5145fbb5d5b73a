"""Which code of the function an edit of a reply means: by number, by part, by what it quotes."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from repair.model.numbered import NumberedFunction
from repair.model.reply import Unusable, UnusableKind, make_plain
from transforms.tree.fragments import parse_expression, parse_statements
from transforms.tree.node_path import NodePath, node_at
from transforms.tree.scope import EditScope
from transforms.tree.shape import expressions_like, shape
from transforms.tree.statement_list import Statement

OTHER_NAMES = {
    "condition": "test",
    "cond": "test",
    "iterable": "iter",
    "message": "msg",
    "exception": "exc",
    "expr": "value",
    "expression": "value",
    "rhs": "value",
    "lhs": "target",
    "context_expr": "items[0]",
    "items": "items[0]",
}
"""What models call a part otherwise."""

_NEVER_MAIN = ("target", "annotation")


class Targets:
    """The places of one function. Each answer is a place, or the sentence that a model is told instead."""

    def __init__(self, scope: EditScope, numbered: NumberedFunction) -> None:
        self.scope = scope
        self.numbered = numbered

    def statement(self, id: str) -> Statement | Unusable:
        """The statement with that number."""
        found = self.numbered.find(id)
        if found is None:
            there = f"s1 to s{len(self.numbered.statements)}"
            return _missing(f"there is no statement {id}: the function has {there}")
        return found

    def part(self, statement: Statement, name: str) -> NodePath | Unusable:
        """The part of a statement, or its main part where no name is given."""
        id, parts = self.numbered.id_of(statement), dict(statement.parts)
        if not name:
            main = [n for n in parts if n.partition("[")[0] not in (*_NEVER_MAIN, "targets")]
            if main and (statement.kind != "with" or len(main) == 1):
                return parts[main[0]]
            there = f"its parts are {', '.join(parts)}" if parts else "it has no part: use patch"
            kind = UnusableKind.AMBIGUOUS_TARGET if parts else UnusableKind.MISSING_TARGET
            return Unusable(f"{id} alone does not say which expression is meant: {there}", kind)
        found = parts.get(name) or parts.get(OTHER_NAMES.get(name, ""))
        if found is None:
            there = f"it has {', '.join(f'.{n}' for n in parts)}" if parts else "it has none: use patch"
            smaller = f"; quote a smaller piece, as in update {id} `x + 1`" if parts else ""
            return _missing(f"{id} ({statement.kind}) has no part .{make_plain(name, 40)}: {there}{smaller}")
        return found

    def expression(self, old: str, within: Sequence[NodePath], where: str) -> NodePath | Unusable:
        """The one expression below these paths that says the same as the quoted text."""
        wanted = parse_expression(old)
        if wanted is None:
            return _missing(f"`{make_plain(old, 80)}` is not one expression")
        found = [path for at in within for path in _expressions_at(self.scope.node, at, wanted)]
        if len(found) != 1:
            return self._not_one(old, found, where)
        return found[0]

    def holder(self, at: NodePath) -> Statement | None:
        """The innermost statement that the node at the path belongs to."""
        around = [s for s in self.numbered.statements if at[: len(s.at)] == s.at]
        return around[-1] if around else None

    def run(self, first: Statement, last: Statement) -> tuple[Statement, ...] | Unusable:
        """Consecutive statements of one block, from the first to the last.

        What stands in one belongs to it: ``s2..s5`` has all of the loop ``s5``, as ``s5`` alone has. So has a range
        that ends with the last statement of the loop.
        """
        every = self.numbered.statements
        start, end = every.index(first), every.index(last)
        named = f"s{start + 1}" if start == end else f"s{start + 1}..s{end + 1}"
        found: list[Statement] = []
        at = start
        while at <= end:
            if every[at].is_clause:
                around = f"s{every[at].within + 1}"
                said = f"s{at + 1} is a clause ({every[at].kind}) of {around}: patch {around}, or update a part of it"
                return Unusable(said, UnusableKind.AMBIGUOUS_TARGET)
            if found and _block_of(self.scope, every[at]) != _block_of(self.scope, first):
                break
            found.append(every[at])
            at += 1 + every[at].inner
            if start == end:
                break
        is_whole = at == end + 1 or found[-1:] == [last]
        if end < start or not is_whole:
            reach = f"s{start + 1} reaches to s{start + 1 + first.inner}" if first.inner else "name the outer one"
            said = f"{named} are not whole statements of one block: {reach}"
            return Unusable(said, UnusableKind.AMBIGUOUS_TARGET)
        return tuple(found)

    def quoted_run(self, old: str, among: Sequence[Statement]) -> tuple[Statement, ...] | Unusable:
        """The statements that say the same as the quoted text; else the one whose expression does."""
        wanted = [shape(node) for node in _flat(parse_statements(old) or ())]
        found = [run for s in among if wanted and (run := self._alike(s, wanted))]
        if len(found) == 1:
            return found[0]
        if not found and parse_expression(old) is not None:
            at = self.expression(old, [s.at for s in self._outermost(among)], "the function")
            holder = at if isinstance(at, Unusable) else self.holder(at)
            return holder if isinstance(holder, Unusable) else (holder,) if holder else _missing("it has no place")
        return self._not_one(old, [run[0].at for run in found], "the function")

    def _outermost(self, among: Sequence[Statement]) -> list[Statement]:
        """Those that are in none of the others."""
        every = self.numbered.statements
        return [s for s in among if s.within < 0 or every[s.within] not in among]

    def _alike(self, first: Statement, wanted: Sequence[object]) -> tuple[Statement, ...]:
        every, at = self.numbered.statements, self.numbered.statements.index(first)
        found: list[Statement] = []
        for sought in wanted:
            if at >= len(every) or _block_of(self.scope, every[at]) != _block_of(self.scope, first):
                return ()
            if every[at].is_clause or shape(node_at(self.scope.node, every[at].at)) != sought:
                return ()
            found.append(every[at])
            at += 1 + every[at].inner
        return tuple(found)

    def _not_one(self, old: str, found: Sequence[NodePath], where: str) -> Unusable:
        shown = f"`{make_plain(old, 80)}`"
        if not found:
            return _missing(f"{shown} does not occur in {where}")
        holders = (self.holder(at) for at in found)
        ids = dict.fromkeys(self.numbered.id_of(s) for s in holders if s is not None)
        places = ", ".join(list(ids)[:8])
        said = f"{shown} occurs {len(found)} times in {where} (in {places}): name the statement or quote more"
        return Unusable(said, UnusableKind.AMBIGUOUS_TARGET)


def _expressions_at(function: cst.FunctionDef, at: NodePath, wanted: cst.BaseExpression) -> list[NodePath]:
    node = node_at(function, at)
    itself = [at] if isinstance(node, cst.BaseExpression) and shape(node) == shape(wanted) else []
    return [*itself, *((*at, *path) for path in expressions_like(node, wanted))]


def _flat(nodes: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
    """The statements, those of one line by themselves."""
    return [each for node in nodes for each in (node.body if isinstance(node, cst.SimpleStatementLine) else (node,))]


def _block_of(scope: EditScope, statement: Statement) -> NodePath:
    """The path of the block that a statement stands in."""
    small = isinstance(node_at(scope.node, statement.at), cst.BaseSmallStatement)
    in_line = small and isinstance(node_at(scope.node, statement.at[:-2]), cst.SimpleStatementLine)
    return statement.at[:-4] if in_line else statement.at[:-2]


def _missing(reason: str) -> Unusable:
    return Unusable(reason, UnusableKind.MISSING_TARGET)
