"""Smells around exceptions: swallowed assertions, and ``raises`` blocks that accept too much."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from analysis.function_text import last_name
from analysis.quality.assertions import BROAD, exception_names, expected_error_of, holds_assertion
from analysis.quality.case import Case
from analysis.quality.smell import Finding, Rule, Severity


def find_swallowed(case: Case) -> Iterator[Finding]:
    """T04."""
    for node in case.nodes:
        if not isinstance(node, (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)):
            continue
        if not any(holds_assertion(s, case.helpers) for s in node.body):
            continue
        if isinstance(node, (ast.With, ast.AsyncWith)):
            calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
            if any(last_name(c.func) == "suppress" and any(map(_is_broad, c.args)) for c in calls):
                yield node.lineno, "suppress() swallows the failure of an assertion."
            continue
        for handler in node.handlers:
            inside = [n for s in handler.body for n in ast.walk(s)]
            speaks = any(isinstance(n, ast.Raise) or holds_assertion(n, case.helpers) for n in inside)
            if _is_broad(handler.type) and not speaks:
                yield handler.lineno, "This handler swallows the failure of an assertion."


def _is_broad(caught: ast.expr | None) -> bool:
    """Whether an assertion's failure is among what is caught: ``except Exception``, a bare ``except``."""
    return any(name in BROAD for name in exception_names(caught))


def too_broad(case: Case) -> Iterator[Finding]:
    """T05."""
    for node in case.nodes:
        expected = expected_error_of(node)
        if expected is None or not any(n in BROAD[:2] for n in exception_names(expected)):
            continue
        assert isinstance(node, ast.Call), "only a call expects an exception"
        if not any(k.arg == "match" for k in node.keywords) and "Regex" not in last_name(node.func):
            yield node.lineno, "The test accepts every exception, also one that it does not mean."


def _raises_blocks(case: Case) -> Iterator[tuple[ast.With | ast.AsyncWith, ast.expr]]:
    for node in case.nodes:
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                expected = expected_error_of(item.context_expr)
                if expected is not None:
                    yield node, expected


def assert_behind_the_raise(case: Case) -> Iterator[Finding]:
    """T06. A block that ends in an explicit ``raise`` is meant to get there."""
    for block, expected in _raises_blocks(case):
        if isinstance(block.body[-1], ast.Raise) or "AssertionError" in exception_names(expected):
            continue
        for statement in block.body[1:]:
            if isinstance(statement, ast.Assert):
                yield (
                    statement.lineno,
                    "This assertion stands in the raises block behind the call that raises: it never runs.",
                )
                break


def expects_its_own_failure(case: Case) -> Iterator[Finding]:
    """T20."""
    for block, expected in _raises_blocks(case):
        if _is_broad(expected) and any(isinstance(s, ast.Assert) for s in block.body):
            yield block.lineno, "The test passes when its own assertion fails."


RULES = (
    Rule("T04", Severity.REJECT, "swallowed assertion", find_swallowed).with_examples(
        (
            "def test_it():\n    try:\n        assert parse('1') == 1\n    except Exception:\n        pass\n",
            "def test_it():\n    try:\n        assert parse('1') == 1\n    except:\n        print('no')\n",
            "def test_it():\n    with contextlib.suppress(AssertionError):\n        assert parse('1') == 1\n",
            (
                "def check(x):\n    assert x\ndef test_it():\n    try:\n        check(parse('1'))\n"
                "    except (ValueError, AssertionError):\n        pass\n"
            ),
        ),
        (
            (
                "def test_it():\n    try:\n        parse('x')\n    except ValueError as e:\n"
                "        assert 'x' in str(e)\n    else:\n        assert False\n"
            ),
            (
                "def test_it():\n    try:\n        assert parse('1') == 1\n"
                "    except Exception:\n        log()\n        raise\n"
            ),
            "def test_it():\n    try:\n        assert parse('1') == 1\n    except ImportError:\n        pass\n",
            "def test_it():\n    try:\n        assert parse('1') == 1\n    finally:\n        close()\n",
        ),
    ),
    Rule("T05", Severity.WARN, "any exception will do", too_broad).with_examples(
        (
            "def test_it():\n    with pytest.raises(Exception):\n        parse('x')\n",
            (
                "class TestIt:\n    def test_it(self):\n"
                "        self.assertRaises((ValueError, BaseException), parse, 'x')\n"
            ),
        ),
        (
            "def test_it():\n    with pytest.raises(Exception, match='x'):\n        parse('x')\n",
            "def test_it():\n    with pytest.raises(ValueError):\n        parse('x')\n",
        ),
    ),
    Rule("T06", Severity.REJECT, "assertion behind the raise", assert_behind_the_raise).with_examples(
        (
            (
                "def test_it():\n    with pytest.raises(ValueError):\n"
                "        value = parse('x')\n        assert value == 1\n"
            ),
            (
                "class TestIt:\n    def test_it(self):\n        with self.assertRaises(ValueError) as e:\n"
                "            parse('x')\n            assert e\n"
            ),
        ),
        (
            "def test_it():\n    with pytest.raises(ValueError) as e:\n        parse('x')\n    assert 'x' in str(e)\n",
            (
                "def test_it():\n    with pytest.raises(ValueError):\n"
                "        v = parse('1')\n        assert v == 1\n        raise ValueError\n"
            ),
        ),
    ),
    Rule("T20", Severity.REJECT, "expects its own failure", expects_its_own_failure).with_examples(
        (
            "def test_it():\n    with pytest.raises(AssertionError):\n        assert parse('1') == 2\n",
            "def test_it():\n    with pytest.raises(Exception):\n        assert parse('1') == 2\n",
        ),
        (
            "def test_it():\n    with pytest.raises(AssertionError):\n        parse('x')\n",
            "def test_it():\n    with pytest.raises(AssertionError):\n        assert_frame_equal(parse('1'), 2)\n",
        ),
    ),
)
