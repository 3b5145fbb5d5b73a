"""The values that a test mentions: what it expects, what it puts in, which exceptions it waits for.

A heuristic on the text. In a comparison the side without a call is what is expected; where both have
one, it is the right side. Names are followed to the columns of a ``parametrize``, to the rows of a
loop over literals, and to single assignments of literals.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from analysis.facts import TestId
from analysis.function_text import Unreadable, last_name, names_in
from analysis.literals import Literal, NotLiteral, is_common, literal_or, literals_in
from analysis.quality.assertions import exception_names, expected_error_of
from analysis.quality.case import Case, find_case, read_tests

_WANTED = re.compile(r"^(expect|expected|want|wanted|result|output|out|answer)(_|s?$)|_(expected|output|result)$")
_MOCK_ASSERTION = re.compile(r"assert(_.*)?_(with|call|await)$")
_TRANSPARENT = ("approx",)


@dataclass(frozen=True, slots=True)
class TestValues:
    """Literals of one test, common ones such as 0, 1, ``""`` and ``None`` left out."""

    __test__ = False

    expected: frozenset[Literal] = frozenset()
    inputs: frozenset[Literal] = frozenset()
    raises: frozenset[str] = frozenset()


def values_of_tests(source: bytes, tests: Iterable[TestId]) -> TestValues:
    """All values that some of the tests of one file mention; none of a test that cannot be found."""
    file = read_tests(source)
    if isinstance(file, Unreadable):
        return TestValues()
    found = []
    for test in tests:
        try:
            case = find_case(file, test)
            found += [] if case is None else [_values(case)]
        except RecursionError:
            continue
    return join_values(found)


def join_values(values: Iterable[TestValues]) -> TestValues:
    """The values of several tests; what one expects counts as expected, though another puts it in."""
    every = list(values)
    expected = frozenset[Literal]().union(*(v.expected for v in every))
    inputs = frozenset[Literal]().union(*(v.inputs for v in every))
    return TestValues(expected, inputs - expected, frozenset[str]().union(*(v.raises for v in every)))


def _values(case: Case) -> TestValues:
    sides = list(_expected_sides(case))
    columns = dict(_columns(case))
    wanted = {name for side in sides for name in names_in(side)}
    wanted |= {name for name in columns if _WANTED.search(name)}
    expected: set[Literal] = set()
    for side in [*sides, *(e for name in wanted for e in columns.get(name, ()))]:
        # The side as one value, else the literals that an object or a sum is made of.
        whole = literal_or(side, NotLiteral)
        expected.update([whole] if whole is not NotLiteral else literals_in(side))
    own = {n for side in sides for n in ast.walk(side)}
    inputs = {v for n in _input_nodes(case, own) for v in literals_in(n)}
    inputs |= {v for name, cells in columns.items() if name not in wanted for e in cells for v in literals_in(e)}
    raises = {n for node in case.nodes if (e := expected_error_of(node)) is not None for n in exception_names(e)}
    return TestValues(_telling_values(expected), _telling_values(inputs - expected), frozenset(raises))


def _telling_values(values: set[Literal]) -> frozenset[Literal]:
    return frozenset(v for v in values if not is_common(v))


def _expected_sides(case: Case) -> Iterator[ast.expr]:
    for node in case.nodes:
        match node:
            case ast.Assert(test=test):
                for compare in (n for n in ast.walk(test) if isinstance(n, ast.Compare)):
                    yield from _without_calls([compare.left, *compare.comparators])
            case ast.Call(func=func, args=args) if _MOCK_ASSERTION.match(last_name(func)):
                yield from args
            case ast.Call(func=func, args=[left, right, *_]) if last_name(func).lower().startswith("assert"):
                if expected_error_of(node) is None:
                    yield from _without_calls([left, right])


def _without_calls(sides: list[ast.expr]) -> list[ast.expr]:
    plain = [side for side in sides if not _has_call(side)]
    return plain or sides[1:]


def _has_call(side: ast.expr) -> bool:
    return any(isinstance(n, ast.Call) and last_name(n.func) not in _TRANSPARENT for n in ast.walk(side))


def _input_nodes(case: Case, expected: set[ast.AST]) -> Iterator[ast.expr]:
    """Arguments of calls, and values that are assigned or looped over."""
    for node in case.nodes:
        match node:
            case ast.Call(args=args, keywords=keywords) if last_name(node.func) != "raises":
                yield from (a for a in (*args, *(k.value for k in keywords)) if a not in expected)
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                yield value


def _columns(case: Case) -> Iterator[tuple[str, list[ast.expr]]]:
    """Names with the expressions that they take: by parametrize, by a loop over literals, by one assignment."""
    for mark in (d for f in (case.function, *case.classes) for d in f.decorator_list):
        match mark:
            case ast.Call(args=[names, rows, *_]) if last_name(mark.func) == "parametrize":
                value = literal_or(names, "")
                parts = value.split(",") if isinstance(value, str) else value if isinstance(value, tuple) else ()
                yield from _by_column([str(part).strip() for part in parts], _rows(rows, case))
    for node in case.nodes:
        match node:
            case ast.For(target=target, iter=rows):
                targets = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
                yield from _by_column([t.id if isinstance(t, ast.Name) else "" for t in targets], _rows(rows, case))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if not _has_call(value):
                yield name, [value]


def _rows(node: ast.expr, case: Case) -> list[ast.expr]:
    match node:
        case ast.List(elts=rows) | ast.Tuple(elts=rows) | ast.Set(elts=rows):
            return rows
        case ast.Call(func=ast.Attribute(value=ast.Dict(keys=keys, values=values), attr="items")):
            return [ast.Tuple([k, v], ast.Load()) for k, v in zip(keys, values, strict=True) if k is not None]
        case ast.Name(id=name):
            for statement in (*case.function.body, *case.siblings, *case.module.body):
                match statement:
                    case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                        return [] if isinstance(value, ast.Name) else _rows(value, case)
    return []


def _by_column(names: list[str], rows: list[ast.expr]) -> Iterator[tuple[str, list[ast.expr]]]:
    cells = [_cells(row, len(names)) for row in rows]
    for index, name in enumerate(names):
        yield name, [row[index] for row in cells if index < len(row)]


def _cells(row: ast.expr, width: int) -> list[ast.expr]:
    if isinstance(row, ast.Call) and last_name(row.func) == "param":
        return row.args
    return row.elts if width > 1 and isinstance(row, (ast.Tuple, ast.List)) else [row]
