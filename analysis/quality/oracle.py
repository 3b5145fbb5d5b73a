"""Smells of assertions that hold whatever the subject does, or that do not look at it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from analysis.constant_truth import constant_truth, is_pure
from analysis.function_text import last_name, own_nodes, shape
from analysis.quality.assertions import MOCK_ASSERTIONS, line_of
from analysis.quality.case import Case
from analysis.quality.smell import Finding, Rule, Severity

COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__bool__", "__len__")
_SAME = ("assertEqual", "assertEquals", "assertIs", "assertListEqual", "assertDictEqual", "assertSequenceEqual")
_REPEATING = re.compile(
    r"determin|idempot|repeat|stable|cache|memo|twice|same|pure|reproduc|hash|singleton", re.IGNORECASE
)


def find_tautology(case: Case) -> Iterator[Finding]:
    """T03. Tests of comparison methods may compare a thing with itself."""
    return _tautologies(case) if _all_hollow(case) else iter(())


def some_tautology(case: Case) -> Iterator[Finding]:
    """T03-some."""
    return iter(()) if _all_hollow(case) else _tautologies(case)


def _tautologies(case: Case) -> Iterator[Finding]:
    for node in case.assertions:
        if _always_holds(node, may_reflect=case.subject_name in COMPARISONS):
            yield line_of(node), "This assertion holds whatever the subject does."


def _all_hollow(case: Case) -> bool:
    """No assertion is left beside tautologies and values that the subject computes itself.

    In real suites such an assertion stands among others that do have an oracle (tests of equality, of repetition). Then
    the test as a whole still does.
    """
    lines = [line_of(node) for node in case.assertions]
    hollow = {line for line, _ in (*_tautologies(case), *_recomputations(case))}
    return bool(lines) and all(line in hollow for line in lines)


def _always_holds(node: ast.AST, *, may_reflect: bool) -> bool:
    match node:
        case ast.Assert(test=ast.Compare()) if may_reflect:
            return False
        case ast.Assert(test=test):
            return constant_truth(test) is True
        case ast.Call(func=func, args=[test, *_]) if last_name(func) in ("assertTrue", "assert_", "assertFalse"):
            return constant_truth(test) is (last_name(func) != "assertFalse")
        case ast.Call(func=func, args=[left, right, *_]) if last_name(func) in _SAME and not may_reflect:
            return is_pure(left) and shape(left) == shape(right)
        case ast.Call(func=func, args=[ast.Constant(value=value), *_]) if last_name(func) == "assertIsNotNone":
            return value is not None
    return False


def only_mock_assertions(case: Case) -> Iterator[Finding]:
    """T08."""
    found = case.assertions
    if found and all(isinstance(n, ast.Call) and last_name(n.func) in MOCK_ASSERTIONS for n in found):
        yield line_of(found[0]), "All assertions ask a mock whether it was called; none looks at a result."


def find_recomputed(case: Case) -> Iterator[Finding]:
    """T18."""
    return _recomputations(case) if _all_hollow(case) else iter(())


def some_recomputed(case: Case) -> Iterator[Finding]:
    """T18-some."""
    return iter(()) if _all_hollow(case) else _recomputations(case)


def _recomputations(case: Case) -> Iterator[Finding]:
    """Without a known subject, only a call compared with its own repetition counts."""
    if _REPEATING.search(case.function.name):
        return
    for node in case.assertions:
        for left, right in _equal_sides(node):
            if _subject_calls(left, case) & _subject_calls(right, case):
                yield line_of(node), "The expected value is computed by the subject itself, with the same arguments."


def _equal_sides(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            yield left, right
        case ast.Call(func=func, args=[left, right, *_]) if last_name(func) in _SAME:
            yield left, right


def _subject_calls(side: ast.expr, case: Case) -> frozenset[str]:
    if not case.subject:
        return frozenset({shape(side)}) if isinstance(side, ast.Call) else frozenset()
    calls = [n for n in (side, *own_nodes(side, (ast.Lambda,))) if isinstance(n, ast.Call)]
    return frozenset(shape(c) for c in calls if last_name(c.func) == case.subject_name)


PINNED = "Pinned: "
"""What the docstring of a test begins with that only says how the program behaves now. Nobody said that it should."""


def find_pinned(case: Case) -> Iterator[Finding]:
    """T29."""
    if (ast.get_docstring(case.function) or "").startswith(PINNED):
        yield case.function.lineno, "The test says that the program behaves so now, and nobody said that it should."


RULES = (
    Rule("T03", Severity.REJECT, "tautology", find_tautology).with_examples(
        (
            "def test_it():\n    parse('1')\n    assert True\n",
            "def test_it():\n    x = parse('1')\n    assert x == x\n",
            "def test_it():\n    assert (parse('1') == 2, 'must be equal')\n",
            "def test_it():\n    assert parse('1') == 2 or True\n",
            "def test_it():\n    assert len(parse('1')) >= 0\n",
            "def test_it():\n    assert lambda: parse('1') == 2\n",
            "def test_it():\n    assert f'result {parse(1)}'\n",
            "def test_it():\n    assert isinstance(parse('1'), object)\n",
            "class TestIt:\n    def test_it(self):\n        parse('1')\n        self.assertTrue('ok')\n",
            "class TestIt:\n    def test_it(self):\n        x = parse('1')\n        self.assertEqual(x, x)\n",
        ),
        (
            "def test_it():\n    assert parse('1') == 1\n",
            "def test_it():\n    assert len(parse('1')) >= 1\n",
            "def test_it():\n    assert parse('1') == 1 or parse('1') == 2\n",
            "class TestIt:\n    def test_it(self):\n        self.assertEqual(parse('1'), 1)\n",
            "def test_it():\n    assert parse('1') is not None\n",
        ),
    ),
    Rule("T03-some", Severity.WARN, "tautology among other assertions", some_tautology).with_examples(
        ("def test_it():\n    x = parse('1')\n    assert x == x\n    assert x == 1\n",),
        ("def test_it():\n    assert parse('1') == 1\n", "def test_it():\n    parse('1')\n    assert True\n"),
    ),
    Rule("T29", Severity.REJECT, "pinned", find_pinned).with_examples(
        ('def test_it():\n    """Pinned: so it behaves now."""\n    assert parse(\'1\') == 1\n',),
        (
            'def test_it():\n    """It parses."""\n    assert parse(\'1\') == 1\n',
            "def test_it():\n    # Pinned: a comment\n    assert parse('1') == 1\n",
        ),
    ),
    Rule("T08", Severity.WARN, "only mock assertions", only_mock_assertions).with_examples(
        ("def test_it():\n    m = Mock()\n    parse(m)\n    m.read.assert_called_once_with()\n",),
        ("def test_it():\n    m = Mock()\n    assert parse(m) == 1\n    m.read.assert_called_once_with()\n",),
    ),
    Rule("T18", Severity.REJECT, "expected value recomputed by the subject", find_recomputed).with_examples(
        (
            "def test_it():\n    assert parse('1') == parse('1')\n",
            "def test_it():\n    assert parse('1') == parse('1')\n    assert True\n",
            "class TestIt:\n    def test_it(self):\n        self.assertEqual(str(parse('1')), f'{parse(\"1\")}')\n",
        ),
        (
            "def test_it():\n    assert parse('1') == parse('01')\n",
            (
                "def test_it_is_deterministic():\n    assert parse('1') == parse('1')\n"
                "def test_it():\n    assert parse('1') == 1\n"
            ),
        ),
    ),
    Rule(
        "T18-some", Severity.WARN, "value recomputed by the subject among other assertions", some_recomputed
    ).with_examples(
        ("def test_it():\n    assert parse('1') == parse('1')\n    assert parse('1') == 1\n",),
        ("def test_it():\n    assert parse('1') == parse('1')\n    assert True\n",),
    ),
)
