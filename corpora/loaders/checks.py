"""A function of many assertions, taken apart into one test for each.

An assertion becomes a test with the statements in front of it that it needs and that assert nothing. Two assertions
that use the same variable of the function could lean on what the other did to it. Then all stay together in one test.
Assertions in loops and in functions of the function are not taken apart further.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

Tests = tuple[tuple[ast.stmt, ...], ...]


def split(body: Sequence[ast.stmt]) -> Tests:
    """The statements of each test, in order; one test of everything where the assertions are not independent."""
    helpers = {s.name: s for s in body if isinstance(s, ast.FunctionDef)}
    asserting = [number for number, statement in enumerate(body) if _asserts(statement, helpers)]
    if len(asserting) < 2 or _are_entangled(body, asserting, helpers):
        return (tuple(body),)
    return tuple(
        (
            *_needed_statements([s for at, s in enumerate(body[:number]) if at not in asserting], body[number]),
            body[number],
        )
        for number in asserting
    )


def bound_names(statements: Sequence[ast.stmt]) -> frozenset[str]:
    """What the statements bind in their own scope."""
    return frozenset(name for statement in statements for name in _bound_names(statement))


def used_names(statements: Sequence[ast.stmt]) -> frozenset[str]:
    """What the statements read, inner functions included."""
    return frozenset(
        node.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    )


def _asserts(statement: ast.stmt, helpers: Mapping[str, ast.FunctionDef]) -> bool:
    """Whether running the statement can fail a test on purpose, by itself or by a helper that it calls."""
    if isinstance(statement, ast.FunctionDef):
        return False
    called = [helper for name, helper in helpers.items() if name in used_names([statement])]
    return any(
        isinstance(node, ast.Assert | ast.Raise | ast.Try) for part in (statement, *called) for node in ast.walk(part)
    )


def _are_entangled(body: Sequence[ast.stmt], asserting: Sequence[int], helpers: Mapping[str, ast.FunctionDef]) -> bool:
    """Whether two asserting statements use the same variable, or one binds what comes after it."""
    fixed = {name for s in body if isinstance(s, ast.Import | ast.ImportFrom) for name in _bound_names(s)} | {*helpers}
    variables = bound_names(body) - fixed
    uses = [_reached_names(body[number], helpers) & variables - bound_names([body[number]]) for number in asserting]
    bound = [bound_names([body[number]]) for number in asserting]
    pairs = [(at, after) for at in range(len(uses)) for after in range(at + 1, len(uses))]
    return any(uses[at] & uses[after] or bound[at] & (uses[after] | bound[after]) for at, after in pairs)


def _reached_names(statement: ast.stmt, helpers: Mapping[str, ast.FunctionDef]) -> frozenset[str]:
    """Names that the statement reads, by way of helpers too."""
    reached: frozenset[str] = frozenset()
    waiting: list[ast.stmt] = [statement]
    while waiting:
        new = used_names([waiting.pop()]) - reached
        reached |= new
        waiting += [helpers[name] for name in new if name in helpers]
    return reached


def _needed_statements(before: Sequence[ast.stmt], statement: ast.stmt) -> list[ast.stmt]:
    """Those of the statements in front that the statement needs: all but bindings that nothing kept reads."""
    kept: list[ast.stmt] = []
    wanted = set(used_names([statement]))
    for candidate in reversed(before):
        plain = isinstance(candidate, ast.Import | ast.ImportFrom | ast.FunctionDef)
        if isinstance(candidate, ast.Assign):
            plain = all(isinstance(target, ast.Name) for target in candidate.targets)
        if not plain or wanted & {*_bound_names(candidate)}:
            kept.append(candidate)
            wanted |= used_names([candidate])
    return kept[::-1]


def _bound_names(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in names if alias.name != "*")
        case _:
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id
