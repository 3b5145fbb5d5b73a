"""Ways in which a function's control flow hides a failure, never ends, or never takes a branch."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from analysis.constant_truth import constant_truth
from analysis.function_text import FunctionNode, last_name, names_in, own_nodes, shape
from analysis.use import Severity, Use

_BROAD = ("Exception", "BaseException", "AssertionError", "object")
_MANY = 4
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def escapes_of(function: FunctionNode) -> tuple[Use, ...]:
    """All such places. Keys are numbered, so that a second one of a kind is a new one."""
    count: Counter[str] = Counter()
    numbered = []
    for use in _escapes(function):
        count[use.key] += 1
        numbered.append(Use(use.id, use.severity, f"{use.key}#{count[use.key]}", use.line, use.claim))
    return tuple(numbered)


def _escapes(function: FunctionNode) -> Iterator[Use]:
    for node in ast.walk(function):
        match node:
            case ast.ExceptHandler():
                yield from _of_handler(node, function)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                yield from (use for item in items for use in _of_suppress(item.context_expr))
            case ast.Call(func=ast.Attribute(attr="push"), args=[ast.Lambda() as way_out]):
                yield _use("swallow", "push", way_out.lineno, "decides itself at an exit what is raised", review=True)
            case ast.Try(finalbody=final) | ast.TryStar(finalbody=final):
                yield from _of_finally(final)
            case ast.While():
                yield from _of_while(node)
            case ast.Assert(test=test) if constant_truth(test) is False:
                continue  # it hides nothing: it raises
            case ast.If(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
                yield from _of_condition(test)
            case ast.comprehension(ifs=conditions):
                yield from (use for test in conditions for use in _of_condition(test))
            case ast.match_case(guard=ast.expr() as guard):
                yield from _of_condition(guard)


def _use(id: str, key: str, line: int, claim: str, *, review: bool = False) -> Use:
    return Use(id, Severity.REVIEW if review else Severity.REJECT, f"{id}:{key}", line, claim)


def _of_handler(handler: ast.ExceptHandler, function: FunctionNode) -> Iterator[Use]:
    """A handler that ends in a ``raise`` and is not left before that swallows nothing."""
    raises = isinstance(handler.body[-1], ast.Raise)
    if raises and not _is_left_early(handler):
        return
    caught = handler.type
    parts = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    if caught is None or any(last_name(p) in _BROAD for p in parts):
        name = "everything" if caught is None else ast.unparse(caught)
        claim = f"catches {name} and does not {'always ' if raises else ''}raise it again"
        yield _use("swallow", "broad", handler.lineno, claim, review=raises)
    elif len(parts) >= _MANY and not raises:
        yield _use("swallow", "many", handler.lineno, f"catches {len(parts)} kinds of exceptions", review=True)
    elif not all(isinstance(p, (ast.Name, ast.Attribute)) for p in parts) or names_in(caught) & _stored(function):
        yield _use("swallow", "computed", handler.lineno, "catches an exception class chosen at run time", review=True)


def _is_left_early(handler: ast.ExceptHandler) -> bool:
    inside = [n for s in handler.body for n in (s, *own_nodes(s, _SCOPES))]
    return any(isinstance(n, (ast.Return, ast.Break, ast.Continue)) for n in inside)


def _stored(function: FunctionNode) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _of_suppress(context: ast.expr) -> Iterator[Use]:
    if not isinstance(context, ast.Call) or last_name(context.func) != "suppress":
        return
    if any(last_name(a) in _BROAD or isinstance(a, ast.Starred) for a in context.args):
        yield _use("swallow", "suppress", context.lineno, "suppresses every exception")


def _of_finally(final: list[ast.stmt]) -> Iterator[Use]:
    for statement in final:
        for node in (statement, *own_nodes(statement, _SCOPES)):
            in_loop = isinstance(statement, (ast.For, ast.AsyncFor, ast.While))
            if isinstance(node, ast.Return) or (isinstance(node, (ast.Break, ast.Continue)) and not in_loop):
                yield _use("swallow", "finally", node.lineno, "leaves a finally block early, which drops the exception")


def _of_while(loop: ast.While) -> Iterator[Use]:
    outcome = constant_truth(loop.test)
    if outcome is False:
        yield _use("constant guard", shape(loop.test), loop.lineno, "the loop's condition never holds")
    exits = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await)
    inside = [n for s in loop.body for n in (s, *own_nodes(s, _SCOPES))]
    if outcome is True and not any(isinstance(n, exits) for n in inside) and not _breaks(loop.body):
        yield _use("endless", "while", loop.lineno, "loops for ever without a way out")


def _breaks(body: list[ast.stmt]) -> bool:
    """Whether a ``break`` belongs to this loop and not to one inside it."""
    for statement in body:
        if isinstance(statement, ast.Break):
            return True
        if not isinstance(statement, (ast.For, ast.AsyncFor, ast.While, *_SCOPES)):
            inner = own_nodes(statement, (ast.For, ast.AsyncFor, ast.While, *_SCOPES))
            if any(isinstance(s, ast.Break) for s in inner):
                return True
        elif isinstance(statement, (ast.For, ast.AsyncFor, ast.While)) and _breaks(statement.orelse):
            return True
    return False


def _of_condition(test: ast.expr) -> Iterator[Use]:
    outcome = constant_truth(test)
    if outcome is not None:
        holds = "always" if outcome else "never"
        yield _use("constant guard", shape(test), test.lineno, f"the condition {ast.unparse(test)[:60]} {holds} holds")
