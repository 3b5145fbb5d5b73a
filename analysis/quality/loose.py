"""Smells of assertions that hold for many wrong results too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from analysis.function_text import dotted_name, last_name, own_nodes
from analysis.quality.assertions import line_of
from analysis.quality.case import Case
from analysis.quality.smell import Finding, Rule, Severity

_YES_OR_NO = re.compile(
    r"(^|_)(is|has|can|should|contains|exists|valid|match|matches|startswith|endswith|any|all|equal)(_|$)"
)


def only_weak_assertions(case: Case) -> Iterator[Finding]:
    """T12."""
    found = case.assertions
    if found and all(_is_weak(node) for node in found):
        yield line_of(found[0]), "The assertions only look at presence or type, never at a value."


def _is_weak(node: ast.AST) -> bool:
    match node:
        case ast.Assert(test=test):
            return _is_weak_condition(test)
        case ast.Call(func=func):
            return last_name(func) in ("assertIsNotNone", "assertIsInstance")
    return False


def _is_weak_condition(test: ast.expr) -> bool:
    """Whether many wrong values meet the condition: ``x``, ``x is not None``, ``len(x) > 0``."""
    match test:
        case ast.Name() | ast.Call(func=ast.Name(id="isinstance" | "hasattr" | "callable")):
            return True
        case (
            ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)])
            | ast.Compare(ops=[ast.In()], comparators=[ast.Call(func=ast.Name(id="dir"))])
            | ast.Compare(left=ast.Call(func=ast.Name(id="len")), ops=[ast.Gt()], comparators=[ast.Constant(value=0)])
        ):
            return True
        case ast.BoolOp(values=values):
            return all(_is_weak_condition(v) for v in values)
    return False


def wide_tolerance(case: Case) -> Iterator[Finding]:
    """T23."""
    for assertion in case.assertions:
        for node in (assertion, *own_nodes(assertion, ())):
            if _is_wide(node):
                yield line_of(node), "The tolerance is so wide that a wrong value may pass."
                break


def _is_wide(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=func, args=[_] | [_, ast.Constant(value=0)], keywords=[]) if last_name(func) == "round":
            return True
        case ast.Call(func=func, args=args, keywords=keywords):
            bounds = {k.arg: _number(k.value) for k in keywords}
            if isinstance(relative := bounds.get("rel"), float) and relative >= _WIDE:
                return True
            return last_name(func) == "approx" and _is_large(bounds.get("abs"), args[:1])
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="abs"), args=[ast.BinOp(op=ast.Sub(), left=left, right=right)]),
            ops=[ast.Lt() | ast.LtE()],
            comparators=[bound],
        ):
            return _is_large(_number(bound), (left, right))
    return False


_WIDE = 0.1


def _is_large(bound: float | None, sides: Sequence[ast.expr]) -> bool:
    """Whether the bound is more than a tenth of a literal among the sides."""
    values = [abs(value) for value in map(_number, sides) if value]
    return bound is not None and any(bound >= _WIDE * value for value in values)


def _number(node: ast.expr) -> float | None:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None


def only_truthiness(case: Case) -> Iterator[Finding]:
    """T24. Calls whose names ask a question are expected to answer yes or no."""
    found = case.assertions
    if found and all(_is_bare_call(node) for node in found):
        yield line_of(found[0]), "The assertions take any true result for the right one."


def _is_bare_call(node: ast.AST) -> bool:
    if not isinstance(node, ast.Assert) or not isinstance(node.test, ast.Call):
        return False
    name = last_name(node.test.func)
    return dotted_name(node.test.func) not in ("isinstance", "hasattr", "callable") and not _YES_OR_NO.search(name)


RULES = (
    Rule("T12", Severity.WARN, "only weak assertions", only_weak_assertions).with_examples(
        (
            "def test_it():\n    assert parse('1') is not None\n",
            "def test_it():\n    x = parse('1')\n    assert x\n    assert isinstance(x, int)\n",
            "class TestIt:\n    def test_it(self):\n        self.assertIsNotNone(parse('1'))\n",
        ),
        ("def test_it():\n    assert parse('1') is not None\n    assert parse('1') == 1\n",),
    ),
    Rule("T23", Severity.WARN, "wide tolerance", wide_tolerance).with_examples(
        (
            "def test_it():\n    assert parse('1') == approx(1, rel=0.5)\n",
            "def test_it():\n    assert round(parse('1')) == 1\n",
            "def test_it():\n    assert parse('20') == approx(20, abs=5)\n",
            "def test_it():\n    assert abs(parse('20') - 20.0) < 2\n",
            "def test_it():\n    assert abs(-20.0 - parse('-20')) <= 3\n",
        ),
        (
            "def test_it():\n    assert parse('1') == approx(1)\n",
            "def test_it():\n    assert parse('20') == approx(20, abs=1e-6)\n",
            "def test_it():\n    assert abs(parse('20') - 20) < 0.01\n",
            "def test_it():\n    assert abs(parse('20') - parse('21')) < 2\n",
            "def test_it():\n    assert abs(parse('0') - 0) < 1e-9\n",
            "def test_it():\n    assert round(parse('1'), 2) == 1\n",
        ),
    ),
    Rule("T24", Severity.WARN, "any true result will do", only_truthiness).with_examples(
        ("def test_it():\n    assert parse('1')\n",),
        (
            "def test_it():\n    assert is_number('1')\n",
            "def test_it():\n    assert parse('1')\n    assert parse('2') == 2\n",
        ),
    ),
)
