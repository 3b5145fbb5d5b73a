"""Smells of tests that do not run, or run as somebody else."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from analysis.constant_truth import constant_truth
from analysis.function_text import FunctionNode, blocks, dotted_name, last_name, shape, statements, without_docstring
from analysis.quality.case import Case
from analysis.quality.smell import Finding, Rule, Severity

_LONG_ENOUGH = 200
_SKIP_CALLS = ("pytest.skip", "pytest.xfail", "self.skipTest")


def find_skipped(case: Case) -> Iterator[Finding]:
    """T09. A skip under a condition says nothing: whether it happened, the run tells."""
    for mark in _marks(case):
        claim = _mark_claim(mark)
        if claim:
            yield mark.lineno, claim
    for statement in case.function.body:
        match statement:
            case ast.Expr(value=ast.Call(func=func)) if dotted_name(func) in _SKIP_CALLS:
                yield statement.lineno, "The test always skips itself."


def _marks(case: Case) -> Iterator[ast.expr]:
    yield from case.function.decorator_list
    for owner in case.classes:
        yield from owner.decorator_list
    for scope in (case.module.body, *(c.body for c in case.classes)):
        for statement in scope:
            match statement:
                case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                    yield from value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]


def _mark_claim(mark: ast.expr) -> str:
    args, keywords = (mark.args, mark.keywords) if isinstance(mark, ast.Call) else ([], [])
    name = last_name(mark.func if isinstance(mark, ast.Call) else mark)
    if name == "skip":
        return "The test is marked to be skipped."
    if name == "expectedFailure":
        return "The test is marked as expected to fail."
    if name == "skipif" and args and constant_truth(args[0]) is True:
        return "The test is marked to be skipped always."
    strict = any(k.arg == "strict" and constant_truth(k.value) is True for k in keywords)
    if name == "xfail" and not args and not strict:
        return "The test is marked as expected to fail, and may do so or not."
    return ""


def find_shadowed(case: Case) -> Iterator[Finding]:
    """T14. Definitions in different branches are alternatives, not shadows."""
    branching = [s for s in statements(case.siblings) if isinstance(s, (ast.If, ast.Try, ast.With))]
    for block in (case.siblings, *(block for statement in branching for block in blocks(statement))):
        same = [s for s in block if isinstance(s, FunctionNode) and s.name == case.function.name]
        if case.function in same and len(same) > 1:
            count = len(same)
            yield case.function.lineno, f"The scope defines {case.function.name} {count} times; only the last one runs."


def find_duplicate(case: Case) -> Iterator[Finding]:
    """T15."""
    body = _body(case.function)
    if len(body) <= _LONG_ENOUGH or case.function.decorator_list:
        return
    others = [s for s in statements(case.siblings) if isinstance(s, FunctionNode) and s.name != case.function.name]
    for other in others:
        if _body(other) == body and shape(other.args) == shape(case.function.args) and not other.decorator_list:
            yield case.function.lineno, f"The test is the same as {other.name}."
            return


def _body(function: FunctionNode) -> str:
    return "".join(shape(s) for s in without_docstring(function.body))


def _rows(case: Case) -> Iterator[ast.List | ast.Tuple]:
    for mark in _marks(case):
        if isinstance(mark, ast.Call) and last_name(mark.func) == "parametrize":
            given = [*mark.args[1:2], *(k.value for k in mark.keywords if k.arg == "argvalues")]
            values = given[0] if given else None
            if isinstance(values, (ast.List, ast.Tuple)):
                yield values


def no_parameters(case: Case) -> Iterator[Finding]:
    """T26."""
    for rows in _rows(case):
        if not rows.elts:
            yield rows.lineno, "The test is parametrized with nothing, so pytest skips it."


def same_parameters(case: Case) -> Iterator[Finding]:
    """T26-duplicate."""
    for rows in _rows(case):
        seen = [shape(row) for row in rows.elts]
        if len(set(seen)) < len(seen):
            yield rows.lineno, "The test is parametrized with the same values twice."


_RUNS = "    assert parse('1') == 1\n"
_LONG = "    x = parse('1')\n    y = parse('2')\n    assert x + y == 3\n"

RULES = (
    Rule("T09", Severity.REJECT, "skipped or expected to fail", find_skipped).with_examples(
        (
            "@pytest.mark.skip\ndef test_it():\n" + _RUNS,
            "@pytest.mark.xfail(reason='x')\ndef test_it():\n" + _RUNS,
            "@pytest.mark.skipif(True, reason='x')\ndef test_it():\n" + _RUNS,
            "pytestmark = [pytest.mark.skip(reason='x')]\ndef test_it():\n" + _RUNS,
            "@unittest.skip('x')\nclass TestIt(TestCase):\n    def test_it(self):\n    " + _RUNS,
            "@unittest.expectedFailure\ndef test_it():\n" + _RUNS,
            "def test_it():\n    pytest.skip('later')\n",
        ),
        (
            "@pytest.mark.skipif(sys.version_info < (3, 9), reason='x')\ndef test_it():\n" + _RUNS,
            "@pytest.mark.xfail(strict=True)\ndef test_it():\n" + _RUNS,
            "@pytest.mark.xfail(sys.platform == 'win32', reason='x')\ndef test_it():\n" + _RUNS,
            "def test_it():\n    if not net:\n        pytest.skip('no net')\n" + _RUNS,
        ),
    ),
    Rule("T14", Severity.REJECT, "shadowed", find_shadowed).with_examples(
        (
            "def test_it():\n" + _RUNS + "def test_it():\n    assert parse('2') == 2\n",
            "class TestIt:\n    def test_it(self):\n    " + _RUNS + "    def test_it(self):\n    " + _RUNS,
        ),
        (
            "if py3:\n    def test_it():\n    " + _RUNS + "else:\n    def test_it():\n    " + _RUNS,
            "class TestOther:\n    def test_it(self):\n    "
            + _RUNS
            + "class TestIt:\n    def test_it(self):\n    "
            + _RUNS,
        ),
    ),
    Rule("T15", Severity.WARN, "duplicate", find_duplicate).with_examples(
        ("def test_a():\n" + _LONG + "def test_it():\n" + _LONG,),
        ("def test_a():\n" + _RUNS + "def test_it():\n" + _RUNS,),
    ),
    Rule("T26", Severity.REJECT, "parametrized with nothing", no_parameters).with_examples(
        (
            "@pytest.mark.parametrize('x', [])\ndef test_it(x):\n" + _RUNS,
            "@pytest.mark.parametrize('x', argvalues=())\ndef test_it(x):\n" + _RUNS,
        ),
        (
            "@pytest.mark.parametrize('x', [1])\ndef test_it(x):\n" + _RUNS,
            "@pytest.mark.parametrize('x', CASES)\ndef test_it(x):\n" + _RUNS,
        ),
    ),
    Rule("T26-duplicate", Severity.WARN, "parametrized with the same values twice", same_parameters).with_examples(
        ("@pytest.mark.parametrize('x', [1, 2, 1])\ndef test_it(x):\n" + _RUNS,),
        ("@pytest.mark.parametrize('x', [1, 2, 1.0])\ndef test_it(x):\n" + _RUNS,),
    ),
)
