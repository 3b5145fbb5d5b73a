"""The edits of a reply, placed in the function that the model was shown: one proposal, or a sentence why there is none.

Each edit refers to the original. What is meant beyond doubt is mended: an indentation, copied numbers, a whole
statement where an expression was asked for. What is not is refused, with the place and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import libcst as cst

from repair.model.numbered import NumberedFunction
from repair.model.reply import EXPLANATION, Reply, ReplyEdit, Unusable, UnusableKind, make_plain, size_of
from repair.model.targets import Targets
from transforms.patch.apply import apply_rewrite, render
from transforms.patch.statement_edits import ExpressionEdit, InsertEdit, RunEdit, StatementEdit, replacements_of
from transforms.tree.candidate import Rejected, RejectReason
from transforms.tree.fragments import Statement as StatementNode
from transforms.tree.fragments import parse_expression, parse_statements, syntax_problem
from transforms.tree.node_path import NodePath, node_at
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope
from transforms.tree.shape import same_shape
from transforms.tree.statement_list import Statement

_KINDS = {
    RejectReason.NO_CHANGE: UnusableKind.NO_CHANGE,
    RejectReason.NOT_FOUND: UnusableKind.MISSING_TARGET,
    RejectReason.NOT_UNIQUE: UnusableKind.OVERLAP,
    RejectReason.SYNTAX: UnusableKind.SYNTAX,
    RejectReason.OUTSIDE: UnusableKind.OUTSIDE,
    RejectReason.SIGNATURE: UnusableKind.SIGNATURE,
    RejectReason.IMPORT: UnusableKind.IMPORT,
    RejectReason.ENCODING: UnusableKind.CHARACTERS,
    RejectReason.UNPARSEABLE: UnusableKind.SYNTAX,
}

_GUTTER = re.compile(r"[ \t]*(?:s\d+[ \t]*)*\|(?: |$)")
_ELISION = re.compile(r"#[^\n]*(?:\.\.\.|…)[^\n]*\b(?:rest|existing|unchanged|same|remain\w*|omitted)\b", re.IGNORECASE)
_ELISION_BEFORE = re.compile(
    r"#[^\n]*\b(?:rest|existing|unchanged|same|remain\w*|omitted)\b[^\n]*(?:\.\.\.|…)", re.IGNORECASE
)


def place_reply(
    scope: EditScope,
    numbered: NumberedFunction,
    reply: Reply,
    origin: Origin,
    survives: Callable[[Sequence[str]], bool],
    within: frozenset[str] | None = None,
) -> Proposal | Unusable:
    """The reply's edits as one proposal for the scope's function, whose text differs from the function's.

    No text is parsed here before ``survives`` has said that its parsing does no harm. ``within`` are the numbers of the
    statements that may change, where not all may.
    """
    if not reply.edits:
        return Unusable("the answer holds no edit", UnusableKind.NO_EDIT)
    edits = [replace(e, old=without_numbers(e.old), text=without_numbers(e.text)) for e in reply.edits]
    if not survives([text for edit in edits for text in (edit.old, edit.text)]):
        return Unusable("the code is nested too deeply to be read", UnusableKind.SYNTAX)
    cut = next((edit for edit in edits if _leaves_out(edit.text, scope)), None)
    if cut is not None:
        return Unusable("the code leaves a part out (`# ...`): write all of it, or patch less", UnusableKind.CUT)
    try:
        made = _Placing(scope, numbered, within).replacements(edits)
        if isinstance(made, Unusable):
            return made
        replacements, imports = made
        said = make_plain(reply.why or reply.prose, EXPLANATION)
        whole = Proposal(scope.function, replacements, origin, said, tuple(dict.fromkeys((*imports, *reply.imports))))
        printed = render(scope, whole)
    except RecursionError:
        return Unusable("the code is nested too deeply to be placed", UnusableKind.SYNTAX)
    return unusable_of(printed) if isinstance(printed, Rejected) else whole


def unusable_of(rejected: Rejected) -> Unusable:
    """What was refused while it was placed, as a model is told it."""
    return Unusable(make_plain(rejected.detail, 400), _KINDS[rejected.reason])


def without_numbers(text: str) -> str:
    """Code that was copied with the numbers of its statements, without them."""
    lines = text.split("\n")
    numbered = all(_GUTTER.match(line) for line in lines if line.strip()) and any(map(str.strip, lines))
    return "\n".join(_GUTTER.sub("", line, count=1) for line in lines) if numbered else text


def _leaves_out(text: str, scope: EditScope) -> bool:
    found = _ELISION.search(text) or _ELISION_BEFORE.search(text)
    return found is not None and found.group() not in scope.text.decode(scope.encoding, "replace")


_Placed = tuple[tuple[Replacement, ...], tuple[str, ...]]


class _Placing:
    """Places edits in one function."""

    def __init__(self, scope: EditScope, numbered: NumberedFunction, within: frozenset[str] | None) -> None:
        self._scope = scope
        self._targets = Targets(scope, numbered)
        self._within = within

    def replacements(self, edits: Sequence[ReplyEdit]) -> _Placed | Unusable:
        """What the edits replace, and the imports that stood before a whole function."""
        if len(edits) == 1 and (edits[0].kind == "rewrite" or self._is_whole_function(edits[0])):
            return self._rewrite(edits[0].text)
        placed: list[StatementEdit] = []
        for edit in edits:
            made = self._place(edit)
            if isinstance(made, Unusable):
                return replace(made, size=size_of(edit))
            placed += made
        outside = next((at for each in placed for at in _paths(each) if not self._allows(at)), None)
        if outside is not None:
            return self._outside(outside)
        found = replacements_of(self._scope.node, placed)
        return unusable_of(found) if isinstance(found, Rejected) else (found, ())

    def _place(self, edit: ReplyEdit) -> Sequence[StatementEdit] | Unusable:
        match edit.kind:
            case "update":
                return self._update(edit)
            case "patch":
                return self._patch(edit)
            case "insert before" | "insert after":
                return self._insert(edit)
            case "rewrite":
                return Unusable("a rewrite replaces the whole function and stands alone", UnusableKind.FORM)

    def _update(self, edit: ReplyEdit) -> Sequence[StatementEdit] | Unusable:
        id, _, part = edit.place.partition(".")
        if part.startswith("."):
            said = f"an update is of one expression, and {edit.place} are statements: use patch"
            return Unusable(said, UnusableKind.AMBIGUOUS_TARGET)
        statement = self._targets.statement(id) if id else None
        if isinstance(statement, Unusable):
            return statement
        new = parse_expression(edit.text)
        if new is None and statement is not None:
            return self._as_statement(edit.text, statement) or self._no_code(edit, "one expression")
        at = self._expression(edit, statement, part)
        if isinstance(at, Unusable):
            return at
        if new is None:
            holder = self._targets.holder(at)
            return (holder and self._as_statement(edit.text, holder)) or self._no_code(edit, "one expression")
        return (ExpressionEdit(at, new),)

    def _expression(self, edit: ReplyEdit, statement: Statement | None, part: str) -> NodePath | Unusable:
        if statement is None:
            return self._targets.expression(edit.old, [("body",)], "the function's body")
        if part or not edit.old:
            at = self._targets.part(statement, part)
            if isinstance(at, Unusable) or not edit.old:
                return at
            return self._targets.expression(edit.old, [at], edit.place)
        own = dict.fromkeys(path for _, path in statement.parts)
        first = self._targets.expression(edit.old, list(own), edit.place)
        if isinstance(first, Unusable) and first.kind is UnusableKind.MISSING_TARGET:
            return self._targets.expression(edit.old, [statement.at], edit.place)
        return first

    def _patch(self, edit: ReplyEdit) -> Sequence[StatementEdit] | Unusable:
        first = self._targets.statement(edit.place.partition(".")[0]) if edit.place else None
        if isinstance(first, Statement) and ".." not in edit.place:
            header = self._header(edit.text, first)
            if header:
                return header
        run = self._run(edit)
        if isinstance(run, Unusable):
            return run
        nodes = self._statements(edit)
        return nodes if isinstance(nodes, Unusable) else (RunEdit(tuple(s.at for s in run), nodes),)

    def _insert(self, edit: ReplyEdit) -> Sequence[StatementEdit] | Unusable:
        run = self._run(edit)
        if isinstance(run, Unusable):
            return run
        nodes = self._statements(edit)
        if isinstance(nodes, Unusable):
            return nodes
        before = edit.kind == "insert before"
        return (InsertEdit(run[0 if before else -1].at, nodes, before),)

    def _run(self, edit: ReplyEdit) -> Sequence[Statement] | Unusable:
        """The statements that an edit names, or that it quotes; where it does both, the quoted ones among the named."""
        every = self._targets.numbered.statements
        if not edit.place:
            return self._targets.quoted_run(edit.old, every)
        id, _, rest = edit.place.partition(".")
        first = self._targets.statement(id)
        last = self._targets.statement(rest[1:]) if rest.startswith(".") else first
        if isinstance(first, Unusable) or isinstance(last, Unusable):
            return first if isinstance(first, Unusable) else last if isinstance(last, Unusable) else ()
        run = self._targets.run(first, last)
        if isinstance(run, Unusable) or not edit.old.strip():
            return run
        shown = "\n".join(self._targets.numbered.code_of(s) for s in run)
        if _spaceless(edit.old) in _spaceless(shown) and len(run) == 1 and not run[0].inner:
            return run
        start = every.index(run[0])
        inside = every[start : every.index(run[-1]) + run[-1].inner + 1]
        found = self._targets.quoted_run(edit.old, inside)
        if isinstance(found, Unusable) and _spaceless(edit.old) in _spaceless(shown):
            return run
        return found

    def _statements(self, edit: ReplyEdit) -> tuple[StatementNode, ...] | Unusable:
        nodes = parse_statements(edit.text)
        return self._no_code(edit, "statements") if nodes is None else nodes

    def _as_statement(self, text: str, statement: Statement) -> Sequence[StatementEdit]:
        """The edits that a whole statement means where one of its expressions was asked for; none where it is none."""
        old = node_at(self._scope.node, statement.at)
        nodes = parse_statements(text) or ()
        if len(nodes) == 1 and not statement.is_clause:
            body = nodes[0].body if isinstance(nodes[0], cst.SimpleStatementLine) else (nodes[0],)
            if len(body) == 1 and type(body[0]) is type(old):
                return (RunEdit((statement.at,), nodes),)
        return self._header(text, statement)

    def _header(self, text: str, statement: Statement) -> Sequence[StatementEdit]:
        """The edits that a compound statement's first line alone means: its block stays."""
        line = text.strip()
        if not line.endswith(":") or "\n" in line or not statement.parts:
            return ()
        around = {
            "elif": f"if 1: pass\n{line} pass",
            "except": f"try: pass\n{line} pass",
            "case": f"match 1:\n {line} pass",
        }
        nodes = parse_statements(around.get(statement.kind, f"{line} pass"))
        if not nodes:
            return ()
        path: NodePath = {"elif": ("orelse",), "except": ("handlers", 0), "case": ("cases", 0)}.get(statement.kind, ())
        old, new = node_at(self._scope.node, statement.at), node_at(nodes[0], path)
        edits: list[StatementEdit] = []
        for _, at in statement.parts:
            part = at[len(statement.at) :]
            fresh = _expression_at(new, part) if type(new) is type(old) else None
            if fresh is None:
                return ()
            if not same_shape(node_at(old, part), fresh):
                edits.append(ExpressionEdit(at, fresh))
        return edits

    def _rewrite(self, text: str) -> _Placed | Unusable:
        """The whole function; plain imports above it are declared."""
        imports, code = split_imports(text)
        made = apply_rewrite(self._scope, code)
        if isinstance(made, Rejected):
            problem = syntax_problem(code) if made.reason is RejectReason.SYNTAX else ""
            return unusable_of(replace(made, detail=f"{made.detail}: {problem}") if problem else made)
        if self._within is not None:
            return Unusable(f"only {self._allowed()} may change: patch these", UnusableKind.OUTSIDE)
        return made.replacements, imports

    def _is_whole_function(self, edit: ReplyEdit) -> bool:
        """Whether statements were asked for, and the whole function came."""
        if not re.match(rf"\s*(?:@|(?:async )?def {re.escape(self._scope.node.name.value)}\b)", edit.text):
            return False
        (node, *more) = parse_statements(edit.text) or (None,)
        inner = {
            node_at(self._scope.node, s.at).name.value for s in self._targets.numbered.statements if s.kind == "def"
        }
        return (
            isinstance(node, cst.FunctionDef)
            and not more
            and node.name.value == self._scope.node.name.value not in inner
        )

    def _no_code(self, edit: ReplyEdit, wanted: str) -> Unusable:
        problem = syntax_problem(edit.text)
        said = f"the code of `{edit.kind} {edit.place or make_plain(edit.old, 40)}` is not {wanted}"
        return Unusable(f"{said}: {problem}" if problem else said, UnusableKind.SYNTAX)

    def _allows(self, at: NodePath) -> bool:
        holder = self._targets.holder(at)
        return self._within is None or (holder is not None and self._targets.numbered.id_of(holder) in self._within)

    def _allowed(self) -> str:
        return ", ".join(sorted(self._within or (), key=lambda id: int(id[1:])))

    def _outside(self, at: NodePath) -> Unusable:
        holder = self._targets.holder(at)
        id = self._targets.numbered.id_of(holder) if holder else "that place"
        return Unusable(f"{id} may not change: only {self._allowed()} may", UnusableKind.OUTSIDE)


def split_imports(text: str) -> tuple[tuple[str, ...], str]:
    """Plain imports above a function, and the rest."""
    lines = text.split("\n")
    count = 0
    while count < len(lines) and (not lines[count].strip() or re.match(r"(?:import|from)\s", lines[count])):
        count += 1
    return tuple(line.strip() for line in lines[:count] if line.strip()), "\n".join(lines[count:])


def _paths(edit: StatementEdit) -> tuple[NodePath, ...]:
    return edit.run if isinstance(edit, RunEdit) else (edit.at,)


def _expression_at(node: cst.CSTNode, path: NodePath) -> cst.BaseExpression | None:
    try:
        found = node_at(node, path)
    except (LookupError, TypeError):
        return None
    return found if isinstance(found, cst.BaseExpression) else None


def _spaceless(text: str) -> str:
    return "".join(text.split())
