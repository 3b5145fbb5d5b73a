"""Smells of tests that assert nothing, or where the assertion is never reached."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from analysis.constant_truth import constant_truth
from analysis.function_text import blocks, dotted_name, last_name, parents, upwards, without_docstring
from analysis.quality.assertions import holds_assertion, is_assertion, line_of
from analysis.quality.case import Case
from analysis.quality.smell import Finding, Rule, Severity

_ENDING_CALLS = ("pytest.skip", "pytest.fail", "pytest.xfail", "pytest.exit", "self.skipTest", "self.fail")
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _is_empty(case: Case) -> bool:
    body = without_docstring(case.function.body)
    return all(isinstance(s, ast.Pass) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)) for s in body)


def find_empty(case: Case) -> Iterator[Finding]:
    """T01."""
    if _is_empty(case):
        yield case.function.lineno, "The test has an empty body."


def without_assertion(case: Case) -> Iterator[Finding]:
    """T02."""
    if not _is_empty(case) and not case.assertions:
        yield case.function.lineno, "The test asserts nothing; it only fails when something raises."


def find_unreachable(case: Case) -> Iterator[Finding]:
    """T07."""
    for node in (case.function, *case.nodes):
        for block in blocks(node):
            yield from _after_the_end(block, case.helpers)
        if isinstance(node, (ast.If, ast.While)):
            outcome = constant_truth(node.test)
            dead = node.body if outcome is False else node.orelse if outcome is True else []
            for statement in [s for s in dead if holds_assertion(s, case.helpers)][:1]:
                yield statement.lineno, "This assertion stands under a condition that never holds."


def _after_the_end(block: list[ast.stmt], helpers: frozenset[str]) -> Iterator[Finding]:
    ended = False
    for statement in block:
        if ended and not isinstance(statement, (*_NESTED, ast.ClassDef)) and holds_assertion(statement, helpers):
            yield statement.lineno, "This assertion stands behind a statement that leaves the block, so it never runs."
            return
        match statement:
            case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
                ended = True
            case ast.Expr(value=ast.Call(func=func)):
                ended = ended or dotted_name(func) in _ENDING_CALLS


def only_conditional(case: Case) -> Iterator[Finding]:
    """T11."""
    found = case.assertions
    above = parents(case.function)
    if found and all(_is_conditional(node, above) for node in found):
        yield line_of(found[0]), "Each assertion stands in a loop or a branch that may be passed by."


def _is_conditional(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Whether the assertion may be passed by: ``for x in xs: assert x``, an ``if`` without ``else``."""
    for child, parent in upwards(node, above):
        if isinstance(parent, _NESTED):
            break
        if not isinstance(parent, (ast.For, ast.AsyncFor, ast.While, ast.If)):
            continue
        if child in parent.body and not parent.orelse:
            return True
    return False


def over_nothing(case: Case) -> Iterator[Finding]:
    """T11-empty."""
    for node in case.nodes:
        if not isinstance(node, (ast.For, ast.AsyncFor)) or not _is_nothing(node.iter, case):
            continue
        if any(holds_assertion(s, case.helpers) for s in node.body):
            yield node.lineno, "The assertions of this loop never run: it loops over nothing."


def _is_nothing(iterable: ast.expr, case: Case) -> bool:
    match iterable:
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]) | ast.Constant(value="" | b""):
            return True
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=0)]):
            return True
        case ast.Call(func=ast.Name(id="list" | "tuple" | "dict" | "set" | "iter" | "frozenset"), args=[], keywords=[]):
            return True
        case ast.Name(id=name):
            return _is_bound_to_nothing(name, case)
    return False


def _is_bound_to_nothing(name: str, case: Case) -> bool:
    """The name's only use besides loops is one assignment of an empty literal; else something may fill it."""
    uses = [n for n in ast.walk(case.module) if isinstance(n, ast.Name) and n.id == name]
    above = parents(case.module)
    stores = [n for n in uses if isinstance(n.ctx, ast.Store)]
    loads = [n for n in uses if isinstance(n.ctx, ast.Load)]
    if len(stores) != 1 or len(stores) + len(loads) != len(uses):
        return False
    if not all(isinstance(above[n], (ast.For, ast.AsyncFor)) for n in loads):
        return False
    match above[stores[0]]:
        case ast.Assign(targets=[_], value=ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[])):
            return True
    return False


def without_call(case: Case) -> Iterator[Finding]:
    """T13."""
    arguments = case.function.args
    parameters = [a for a in (*arguments.args, *arguments.kwonlyargs) if a.arg not in ("self", "cls")]
    calls = [n for n in case.nodes if isinstance(n, ast.Call) and not is_assertion(n)]
    # A helper or context may run the subject: ``raises(E, f)``, ``assert_same(...)``.
    plain = (isinstance(n, ast.Call) and not last_name(n.func).startswith("assert") for n in case.assertions)
    helpers = any(plain) or not all(map(is_assertion, case.assertions))
    if not (parameters or calls or helpers or _is_empty(case)):
        yield case.function.lineno, "The test calls nothing besides its own assertions."


RULES = (
    Rule("T01", Severity.REJECT, "empty test", find_empty).with_examples(
        ("def test_it():\n    pass\n", 'def test_it():\n    """Parses."""\n', "def test_it():\n    ...\n"),
        ("def test_it():\n    assert parse('1') == 1\n", "def test_it():\n    parse('1')\n"),
    ),
    Rule("T02", Severity.WARN, "no assertion", without_assertion).with_examples(
        ("def test_it():\n    parse('1')\n", "def look(x):\n    print(x)\ndef test_it():\n    look(parse('1'))\n"),
        (
            "def check(x):\n    assert x == 1\ndef test_it():\n    check(parse('1'))\n",
            (
                "class TestIt:\n    def same(self, a):\n        self.assertEqual(a, 1)\n"
                "    def test_it(self):\n        self.same(parse('1'))\n"
            ),
            "def test_it():\n    np.testing.assert_allclose(parse('1'), 1)\n",
            "def test_it():\n    with pytest.raises(ValueError):\n        parse('x')\n",
            "async def test_it():\n    assert await parse('1') == 1\n",
        ),
    ),
    Rule("T07", Severity.REJECT, "unreachable assertion", find_unreachable).with_examples(
        (
            "def test_it():\n    parse('1')\n    return\n    assert parse('1') == 1\n",
            "def test_it():\n    if False:\n        assert parse('1') == 1\n",
            "def test_it():\n    pytest.skip('later')\n    assert parse('1') == 1\n",
            "def test_it():\n    for x in (1, 2):\n        continue\n        assert parse(x) == x\n",
            "def test_it():\n    if True:\n        return\n    else:\n        assert parse('1') == 1\n",
        ),
        (
            "def test_it():\n    if not available:\n        return\n    assert parse('1') == 1\n",
            (
                "def test_it():\n    try:\n        raise ValueError\n"
                "    except ValueError:\n        assert parse('1') == 1\n"
            ),
        ),
    ),
    Rule("T11", Severity.WARN, "only conditional assertions", only_conditional).with_examples(
        (
            "def test_it():\n    for x in inputs:\n        assert parse(x)\n",
            "def test_it():\n    if parse('1'):\n        assert parse('1') == 1\n",
        ),
        (
            (
                "def test_it():\n    if py3:\n        assert parse('1') == 1\n"
                "    else:\n        assert parse('1') == '1'\n"
            ),
            "def test_it():\n    assert inputs\n    for x in inputs:\n        assert parse(x) == 1\n",
        ),
    ),
    Rule("T11-empty", Severity.REJECT, "assertions over an empty collection", over_nothing).with_examples(
        (
            "def test_it():\n    for x in []:\n        assert parse(x) == 1\n",
            "CASES = ()\ndef test_it():\n    for x in CASES:\n        assert parse(x) == 1\n",
            "def test_it():\n    for x in range(0):\n        assert parse(x) == 1\n",
        ),
        (
            "def test_it():\n    seen = []\n    on(seen.append)\n    for x in seen:\n        assert parse(x) == 1\n",
            "def test_it():\n    for x in ('1', '01'):\n        assert parse(x) == 1\n",
        ),
    ),
    Rule("T13", Severity.WARN, "nothing is called", without_call).with_examples(
        ("def test_it():\n    assert LIMIT == 3\n",),
        (
            "def test_it():\n    assert parse('1') == 1\n",
            "def test_it(parsed):\n    assert parsed == 1\n",
            "def test_it():\n    pytest.raises(ValueError, parse, 'x')\n",
        ),
    ),
)
