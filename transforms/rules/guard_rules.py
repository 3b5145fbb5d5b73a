"""Guards: what counts as one, and which of a function's guards and raises an edit has lost."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.constant_truth import constant_truth, opposite
from analysis.function_text import FunctionNode, last_name, names_in, shape
from transforms.patch.statement_diff import leaves_block

_ASKING_FUNCTIONS = (
    *("isinstance", "issubclass", "len", "callable", "hasattr", "type", "any", "all", "abs", "bool", "getattr"),
)
_ASKING_METHODS = (
    *("startswith", "endswith", "get", "keys", "values", "items", "strip", "lower", "upper", "count", "find"),
)
_NEUTRAL = frozenset(
    shape(ast.parse(text, mode="eval").body)
    for text in ("None", "NotImplemented", "True", "False", "0", "0.0", "''", "b''", "()", "[]", "{}", "set()", "1")
)


def is_guard(statement: ast.AST, names: frozenset[str]) -> bool:
    """Whether it is an ``if`` without ``else`` that only leaves, asked purely of at least one of the bound ``names``.

    Example: ``if x is None: return``, where ``x`` is bound.
    """
    match statement:
        case ast.If(test=test, body=[only], orelse=[]) if leaves_block(only):
            return is_asking(test) and constant_truth(test) is None and bool(names_in(test) & names)
    return False


def is_asking(test: ast.expr) -> bool:
    """Whether the expression only looks: no call but of functions and methods known to change nothing.

    Example: ``len(x) > 0`` and ``x.startswith('a')``, but not ``x.pop()``.
    """
    for node in ast.walk(test):
        match node:
            case ast.Await() | ast.Yield() | ast.YieldFrom() | ast.NamedExpr():
                return False
            case ast.Call(func=ast.Name(id=name)) if name not in _ASKING_FUNCTIONS:
                return False
            case ast.Call(func=ast.Attribute(attr=name)) if name not in _ASKING_METHODS and not name.startswith("is"):
                return False
            case ast.Call(func=ast.Call() | ast.Subscript() | ast.Lambda()):
                return False
    return True


def is_neutral(value: ast.expr | None, old: FunctionNode) -> bool:
    """Whether a returned value is a usual one like ``None``, ``[]`` or ``True``, a parameter, or known to ``old``."""
    if value is None or shape(value) in _NEUTRAL:
        return True
    if isinstance(value, ast.Name) and value.id in parameters_of(old):
        return True
    return shape(value) in {shape(n) for n in ast.walk(old) if isinstance(n, ast.expr)}


def parameters_of(function: FunctionNode) -> list[str]:
    """The names of all parameters, those with stars last."""
    a = function.args
    return [p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg) if p is not None]


def guard_predicate_ok(test: ast.expr, old: FunctionNode) -> bool:
    """Whether a guard asks about presence, type, length, sign or order, and not for a particular value.

    ``text == "5.5"`` is no guard's question, unless the old function knows that literal.
    """
    match test:
        case ast.BoolOp(values=values):
            return all(guard_predicate_ok(v, old) for v in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return guard_predicate_ok(operand, old)
        case ast.Name() | ast.Attribute():
            return True
        case ast.Call(func=func):
            return (
                is_asking(test)
                and not any(isinstance(a, ast.Constant) for a in test.args[:1])
                and last_name(func) != ""
            )
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _comparison_ok(left, op, right, old)
    return False


def asks_for_a_value(test: ast.expr, old: FunctionNode) -> bool:
    """Whether it compares with a literal that is new to ``old``, ``x == 7``, or something computed: ``x + y > z``."""
    return any(
        not _comparison_ok(left, op, right, old)
        for node in ast.walk(test)
        if isinstance(node, ast.Compare)
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False)
    )


def _comparison_ok(left: ast.expr, op: ast.cmpop, right: ast.expr, old: FunctionNode) -> bool:
    """Whether it compares plain things, no literal among them but known ones, 0, 1 and empty texts: ``len(x) > 0``."""
    constants = [n.value for n in (left, right) if isinstance(n, ast.Constant)]
    if isinstance(op, (ast.Is, ast.IsNot)):
        return all(c is None or isinstance(c, bool) for c in constants)
    known = {repr(n.value) for n in ast.walk(old) if isinstance(n, ast.Constant)}
    small = (0, 1, "", b"")
    plain = all(isinstance(n, (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.Subscript)) for n in (left, right))
    return plain and all(repr(c) in known or (c in small and not isinstance(c, bool)) for c in constants)


@dataclass(frozen=True, slots=True)
class _Guard:
    node: ast.If
    kind: str
    asked: frozenset[str]
    """The names in its condition, and those from which the function makes them."""
    test: str
    body: str


def _kind(statement: ast.stmt) -> str:
    return f"raise {raised_name(statement)}" if isinstance(statement, ast.Raise) else type(statement).__name__


def raised_name(statement: ast.Raise) -> str:
    """The name of the exception class, ``""`` for a bare ``raise``."""
    exc = statement.exc
    return last_name(exc.func if isinstance(exc, ast.Call) else exc)


def guards_lost(old: FunctionNode, new: FunctionNode, raising_line: int | None = None) -> tuple[str, ...]:
    """Guards, raises and asserts of the old function that are gone from the new one, each named.

    Editing a guard's test or what it does is not losing it, nor is moving it, merging its condition into
    another, or asking its opposite. A statement that stands at ``raising_line`` (a line of the old text)
    is what the failure is about, and may go.
    """
    excused = frozenset({raising_line} if raising_line else ())
    return (*_lost_guards(old, new, excused), *_lost_raises(old, new, excused), *_lost_asserts(old, new, excused))


def _guards(function: FunctionNode) -> list[_Guard]:
    sources = _sources(function)
    found = [n for n in ast.walk(function) if isinstance(n, ast.If) and leaves_block(n.body[-1])]
    return [
        _Guard(
            n, _kind(n.body[-1]), _with_sources(names_in(n.test), sources), shape(n.test), "".join(map(shape, n.body))
        )
        for n in found
    ]


def _sources(function: FunctionNode) -> dict[str, frozenset[str]]:
    """From which names each local name is made."""
    found: dict[str, frozenset[str]] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
                targets = [target]
            case ast.NamedExpr(target=target, value=value) | ast.For(target=target, iter=value):
                targets = [target]
            case _:
                continue
        for name in frozenset[str]().union(*map(names_in, targets)):
            found[name] = found.get(name, frozenset()) | names_in(value)
    return found


def _with_sources(names: frozenset[str], sources: dict[str, frozenset[str]]) -> frozenset[str]:
    while True:
        more = names.union(*(sources.get(name, frozenset()) for name in names))
        if more == names:
            return names
        names = more


def _stands_at(node: ast.stmt, lines: frozenset[int]) -> bool:
    return any(node.lineno <= line <= (node.end_lineno or node.lineno) for line in lines)


def _lost_guards(old: FunctionNode, new: FunctionNode, excused: frozenset[int]) -> Iterator[str]:
    left, free = _without_pairs(_guards(old), _guards(new))
    conditions = _conditions(new) - _conditions(old, but={g.node for g in left})
    raises = {_kind(node) for node in ast.walk(new) if isinstance(node, ast.Raise)}
    for guard in left:
        if any(_stands_at(s, excused) for s in guard.node.body):
            continue
        match_ = _edited_guard(guard, free)
        if match_ is not None:
            free.remove(match_)
            continue
        # What the guard did, a handler does now, or an arm of a conditional expression that asks about the same.
        if any(_does_the_same(guard.node.body[-1], node, guard.asked) for node in ast.walk(new)):
            continue
        raise_is_gone = guard.kind.startswith("raise") and guard.kind not in raises
        if raise_is_gone or not all(_is_asked(part, conditions) for part in _parts(guard.node.test)):
            yield f"the guard `if {ast.unparse(guard.node.test)}: {guard.kind.lower()}`"


def _without_pairs(old: list[_Guard], new: list[_Guard]) -> tuple[list[_Guard], list[_Guard]]:
    """Those without an equal one on the other side; each serves once."""
    free, left = list(new), []
    for guard in old:
        same = next((g for g in free if (g.test, g.kind) == (guard.test, guard.kind)), None)
        if same is None:
            left.append(guard)
        else:
            free.remove(same)
    return left, free


def _edited_guard(guard: _Guard, free: list[_Guard]) -> _Guard | None:
    """The new guard that this one was edited into: the same question, the same action, or both nearly."""
    same_test = [g for g in free if g.test == guard.test]
    if same_test and (same_test[0].kind.startswith("raise") or not guard.kind.startswith("raise")):
        return same_test[0]
    names = guard.asked
    nearly = [g for g in free if g.body == guard.body] + [g for g in free if g.kind == guard.kind]
    return next((g for g in nearly if g.asked & names or not names), None)


def _does_the_same(last: ast.stmt, node: ast.AST, names: frozenset[str]) -> bool:
    """Whether a handler or an ``a if c else b`` does what a guard did: ``0 if x is None else x`` for ``return 0``."""
    match last, node:
        case ast.Raise(exc=ast.expr() as exc), ast.ExceptHandler(body=[*_, ast.Raise(exc=ast.expr() as now)]):
            return shape(exc) == shape(now)
        case ast.Return(value=ast.expr() as value), ast.ExceptHandler(body=[*_, ast.Return(value=ast.expr() as now)]):
            return shape(value) == shape(now)
        case ast.Return(value=ast.expr() as value), ast.IfExp(test=test, body=body, orelse=other):
            return bool(names_in(test) & names) and shape(value) in (shape(body), shape(other))
    return False


def _conditions(function: FunctionNode, but: set[ast.If] | frozenset[ast.If] = frozenset()) -> Counter[str]:
    tests: list[ast.expr] = []
    for node in ast.walk(function):
        match node:
            case ast.If() if node in but or _does_nothing(node):
                continue
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
                tests.append(test)
            case ast.comprehension(ifs=conditions):
                tests += conditions
            case ast.match_case(guard=ast.expr() as test):
                tests.append(test)
    return Counter(shape(part) for test in tests for part in _parts(test))


def _does_nothing(node: ast.If) -> bool:
    """Whether nothing hangs on the ``if``: ``if x: pass``."""
    idle = (ast.Pass, ast.Constant)
    return not node.orelse and all(isinstance(s.value if isinstance(s, ast.Expr) else s, idle) for s in node.body)


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    """The operands of ``and``, ``or`` and ``not``, down to those that are neither."""
    match test:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _parts(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _parts(operand)
        case _:
            yield test


def _is_asked(part: ast.expr, conditions: Counter[str]) -> bool:
    """Whether these conditions have the part or its opposite: ``x < 0`` is asked by ``x >= 0``, too."""
    return conditions[shape(part)] > 0 or conditions[shape(opposite(part))] > 0


def _lost_raises(old: FunctionNode, new: FunctionNode, excused: frozenset[int]) -> Iterator[str]:
    """A raise is there while an equal one is; else one of its class, else another new one, may be what it became."""
    before = [n for n in ast.walk(old) if isinstance(n, ast.Raise)]
    after = [n for n in ast.walk(new) if isinstance(n, ast.Raise)]
    equal = {shape(n) for n in after}
    old_shapes = {shape(n) for n in before}
    free = [n for n in after if shape(n) not in old_shapes]
    for node in before:
        if shape(node) in equal or _stands_at(node, excused):
            continue
        became = next((n for n in free if raised_name(n) == raised_name(node)), free[0] if free else None)
        if became is None:
            yield f"`{ast.unparse(node)}`"
        else:
            free.remove(became)


def _lost_asserts(old: FunctionNode, new: FunctionNode, excused: frozenset[int]) -> Iterator[str]:
    after = [n for n in ast.walk(new) if isinstance(n, ast.Assert)]
    old_tests = {shape(n.test) for n in ast.walk(old) if isinstance(n, ast.Assert)}
    free = [n for n in after if shape(n.test) not in old_tests]
    conditions = _conditions(new)
    for node in (n for n in ast.walk(old) if isinstance(n, ast.Assert)):
        if all(_is_asked(p, conditions) for p in _parts(node.test)) or _stands_at(node, excused):
            continue
        became = next((n for n in free if names_in(n.test) & names_in(node.test)), None)
        if became is None:
            yield f"`{ast.unparse(node)}`"
        else:
            free.remove(became)
