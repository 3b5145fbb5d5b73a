"""What an edit of each failure class may do with the standard evidence; each rule gives its reasons against that."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.facts import Constraint, ConstraintKind, FailureClass
from analysis.function_text import FunctionNode, last_name, mutable_defaults, names_in, without_docstring
from transforms.patch.statement_diff import (
    ChangeKind,
    Measures,
    Part,
    StatementChange,
    is_simple,
    leaves,
    leaves_block,
    retained_share,
)
from transforms.rules.guard_rules import asks_for_a_value, guard_predicate_ok, is_guard, is_neutral, parameters_of

_TEXT_CALLS = ("format", "join", "strip", "lstrip", "rstrip", "round", "replace", "ljust", "rjust", "zfill", "title")


def is_text_only(changes: Sequence[StatementChange]) -> bool:
    """Whether only strings, formatting and arguments of text methods differ: ``return 'b'`` for ``return 'a'``."""
    for change in changes:
        if change.kind is not ChangeKind.EDITED or change.old is None or change.new is None:
            return False
        if not is_simple(change.old) or type(change.old) is not type(change.new):
            return False
        if _without_text(change.old) != _without_text(change.new):
            return False
    return True


def _without_text(node: object) -> object:
    """The tree as nested tuples with every text, and what only shapes text, replaced by one mark."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return "text"
        case ast.BinOp(left=ast.Constant(value=str()) | ast.JoinedStr(), op=ast.Mod()):
            return "text"
        case ast.Call(func=ast.Attribute(value=value)) if last_name(node.func) in _TEXT_CALLS:
            return "text" if _without_text(value) == "text" else _without_text(value)
        case ast.Call(func=ast.Name(id="round" | "str" | "format" | "repr"), args=[value, *_]):
            return _without_text(value)
        case ast.AST():
            return (type(node).__name__, *(_without_text(v) for _, v in ast.iter_fields(node)))
        case list():
            return tuple(_without_text(v) for v in node)
    return repr(node)


_MOST = 2
"""Statements that an edit may change, apart from those that give a name its first value."""

_MOST_OF_LONG = 3
"""The same in a long function."""

_LONG = 20
"""A function with more leaves than that, in its syntax tree, is long."""

_LOOPS = (ast.For, ast.AsyncFor, ast.While)

Reason = tuple[str, str]
"""Id and claim."""


@dataclass(frozen=True, slots=True)
class EditWithFailure:
    """Two versions of a function, how they differ, and what is known of the failure."""

    old: FunctionNode
    new: FunctionNode
    changes: tuple[StatementChange, ...]
    measures: Measures
    constraints: tuple[Constraint, ...]
    raising_line: int | None

    @property
    def inserted(self) -> tuple[ast.stmt, ...]:
        """Whole statements that are new where they stand."""
        return tuple(c.new for c in self.changes if c.kind is ChangeKind.INSERTED and isinstance(c.new, ast.stmt))


def reasons_beyond_policy(edit: EditWithFailure, failure_class: FailureClass, subclass: str) -> Iterator[Reason]:
    """The reasons why the edit is more than its failure's class calls for; none where it is not."""
    if failure_class is FailureClass.LOGIC and subclass == "text" and is_text_only(edit.changes):
        return
    found = list(_common_reasons(edit))
    if failure_class is FailureClass.CONTRACT:
        found += _contract(edit)
    elif failure_class is FailureClass.RUNTIME_SAFETY:
        found += _runtime(edit)
    elif subclass == "text" and edit.measures.total > 1:
        # A wrong text may come from a wrong value: one such change is still small.
        found.append(("text", "The edit changes more than the text and one further statement."))
    yield from found


def _common_reasons(edit: EditWithFailure) -> Iterator[Reason]:
    """What all classes share: few statements, nothing merely deleted, no new kind of block, no asking for one value."""
    m = edit.measures
    initializes = sum(_is_initialization(s, edit) for s in edit.inserted)
    most = _MOST_OF_LONG if sum(1 for _ in leaves(edit.old)) > _LONG else _MOST
    if m.total - initializes > most:
        share = round(100 * retained_share(edit.old, edit.new))
        yield ("size", f"The edit touches {m.total} statements and keeps {share} % of the old ones.")
    if m.deleted and m.deleted >= m.total:
        yield ("deletion", "The edit only deletes.")
    for statement in edit.inserted:
        if not is_simple(statement) and not isinstance(statement, (ast.If, ast.With, ast.AsyncWith)):
            yield ("block", f"The edit adds a {type(statement).__name__.lower()} block.")
        elif isinstance(statement, ast.If) and not _is_fair(statement, edit):
            test = ast.unparse(statement.test)
            yield ("guard", f"The new condition `if {test}` asks for more than presence, type, length or order.")
    if _loop_depth(edit.new) > _loop_depth(edit.old) + 1:
        yield ("loops", "The edit nests loops deeper.")
    if len(mutable_defaults(edit.new.args)) < len(mutable_defaults(edit.old.args)):
        yield ("default", "The edit takes a default out of the signature that all calls share.")
    if any(isinstance(c.new, ast.ExceptHandler) for c in edit.changes):
        yield ("handler", "The edit changes which exceptions are caught.")


def _is_initialization(statement: ast.stmt, edit: EditWithFailure) -> bool:
    """Whether it assigns to one name that the failure says was not bound: ``total = 0`` after ``UnboundLocalError``."""
    unbound = {c.detail for c in edit.constraints if c.kind is ConstraintKind.UNBOUND_NAME}
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name in unbound
    return False


def _is_fair(statement: ast.If, edit: EditWithFailure) -> bool:
    """Whether a guard asks nothing but what guards ask, and any other condition for no particular value.

    Example: ``if x is None: return`` is fair, ``if x == 7: return`` and ``if x == 7: y = 1`` are not.
    """
    if not leaves_block(statement.body[-1]):
        return not asks_for_a_value(statement.test, edit.old)
    names = _bound_before(edit.new, statement)
    return is_guard(statement, names) and guard_predicate_ok(statement.test, edit.old)


def _bound_before(function: FunctionNode, statement: ast.stmt) -> frozenset[str]:
    stores = [n for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return frozenset(parameters_of(function)).union(n.id for n in stores if n.lineno < statement.lineno)


def _loop_depth(node: ast.AST) -> int:
    inner = max((_loop_depth(child) for child in ast.iter_child_nodes(node)), default=0)
    return inner + isinstance(node, _LOOPS)


def _contract(edit: EditWithFailure) -> Iterator[Reason]:
    """Input validation at the top, and the type and message of exceptions; no other statement."""
    for change in edit.changes:
        if change.kind is ChangeKind.INSERTED and isinstance(change.new, ast.If):
            if change.depth > 0 or not is_guard(change.new, _bound_before(edit.new, change.new)):
                yield ("contract", "The new condition is no validation at the top of the function.")
            elif not _is_early(change.new, edit.new):
                yield ("contract", "The new validation stands behind a statement that may have had an effect.")
        elif not _is_about_refusal(change):
            yield ("contract", "The edit changes more than what the function refuses and how it says so.")
            return


def _is_about_refusal(change: StatementChange) -> bool:
    """Whether it edits a guard, or a ``raise`` or ``assert``: ``raise KeyError(x)`` for ``raise ValueError(x)``."""
    if change.kind is not ChangeKind.EDITED:
        return False
    if isinstance(change.old, ast.If) and isinstance(change.new, ast.If):
        return leaves_block(change.new.body[-1])
    return isinstance(change.old, (ast.Raise, ast.Assert)) and isinstance(change.new, (ast.Raise, ast.Assert))


def _is_early(guard: ast.If, function: FunctionNode) -> bool:
    """Whether before it the function only binds names, imports, asserts and asks: ``x = 1``, but no ``save(x)``."""
    harmless = (ast.Assign, ast.AnnAssign, ast.If, ast.Import, ast.ImportFrom, ast.Assert, ast.Global, ast.Nonlocal)
    before = [s for s in without_docstring(function.body) if s.lineno < guard.lineno]
    return all(isinstance(s, harmless) for s in before)


def _runtime(edit: EditWithFailure) -> Iterator[Reason]:
    """Guards at the fault, short-circuits with a neutral value, one expression there, an initialization, a move."""
    if edit.measures.edited > 1:
        yield ("runtime", f"The edit changes {edit.measures.edited} expressions where one fails.")
    if any(c.kind is ChangeKind.EDITED and not _holds(c.old, edit.raising_line) for c in edit.changes):
        place = "in another function" if edit.raising_line is None else f"at line {edit.raising_line} of the function"
        yield ("runtime", f"The edit changes an expression away from the one that fails, which is {place}.")
    if edit.measures.deleted:
        yield ("runtime", "The edit deletes a statement.")
    fault = _fault_names(edit)
    for statement in edit.inserted:
        if not isinstance(statement, ast.If) or not leaves_block(statement.body[-1]):
            continue
        last = statement.body[-1]
        if isinstance(last, ast.Return) and not is_neutral(last.value, edit.old):
            yield ("runtime", f"The new guard answers `{ast.unparse(last)}`, which is no neutral value.")
        if fault and not names_in(statement.test) & fault:
            yield ("runtime", "The new guard asks about nothing that takes part in the failing expression.")


def _holds(part: Part | None, line: int | None) -> bool:
    """Whether the line is one of a simple statement's, or of a compound one's head."""
    if part is None or line is None:
        return False
    first = (part.pattern if isinstance(part, ast.match_case) else part).lineno
    if isinstance(part, ast.stmt) and is_simple(part):
        return first <= line <= (part.end_lineno or first)
    inner: list[ast.stmt] = getattr(part, "body", [])
    return first <= line <= max(first, inner[0].lineno - 1 if inner else first)


def _fault_names(edit: EditWithFailure) -> frozenset[str]:
    """Names in the failing statement's own expressions and in what the derived constraints speak of."""
    names: set[str] = set()
    for node in ast.walk(edit.old):
        if isinstance(node, ast.stmt) and is_simple(node) and edit.raising_line is not None:
            names |= names_in(node) if node.lineno <= edit.raising_line <= (node.end_lineno or node.lineno) else set()
    for constraint in edit.constraints:
        with contextlib.suppress(SyntaxError, ValueError):
            names |= names_in(ast.parse(constraint.expression.strip() or "0", mode="eval"))
    return frozenset(names)
