"""What counts as an assertion in a test, and which exceptions it speaks of."""

from __future__ import annotations

import ast

from analysis.function_text import dotted_name, last_name

_RAISING = ("raises", "assertRaises", "assertRaisesRegex")
CONTEXTS = (*_RAISING, "warns", "deprecated_call", "assertWarns", "assertWarnsRegex")
BROAD = ("Exception", "BaseException", "AssertionError")
_MOCK_METHODS = """
assert_called assert_called_once assert_called_with assert_called_once_with assert_any_call assert_has_calls
assert_not_called assert_awaited assert_awaited_once assert_awaited_with assert_awaited_once_with assert_any_await
assert_has_awaits assert_not_awaited
"""
MOCK_ASSERTIONS = frozenset(_MOCK_METHODS.split())


def is_assertion(node: ast.AST, helpers: frozenset[str] = frozenset()) -> bool:
    """Whether the node can fail the test by itself: an assert, an assertion call, or a helper that holds one."""
    match node:
        case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))):
            return name == "AssertionError"
        case ast.Call(func=func):
            name = last_name(func)
            return (
                name.lstrip("_").startswith("assert")
                or name in CONTEXTS
                or dotted_name(func) in ("pytest.fail", "self.fail", "fail")
                or (name in helpers and dotted_name(func) in (name, f"self.{name}", f"cls.{name}"))
            )
    return isinstance(node, ast.Assert)


def holds_assertion(node: ast.AST, helpers: frozenset[str]) -> bool:
    """Whether the node or anything in it is an assertion."""
    return any(is_assertion(n, helpers) for n in ast.walk(node))


def line_of(node: ast.AST) -> int:
    """The node's line, 0 for a node that has none."""
    return int(getattr(node, "lineno", 0))


def expected_error_of(node: ast.AST) -> ast.expr | None:
    """The exception that a ``raises`` or ``assertRaises`` call expects."""
    match node:
        case ast.Call(func=func, args=args, keywords=keywords) if last_name(func) in _RAISING:
            named = (k.value for k in keywords if k.arg == "expected_exception")
            return args[0] if args else next(named, None)
    return None


def exception_names(node: ast.expr | None) -> tuple[str, ...]:
    """The class names of an ``except`` clause or a ``raises`` call; a bare clause catches ``BaseException``."""
    if node is None:
        return ("BaseException",)
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return tuple(last_name(p) for p in parts)
