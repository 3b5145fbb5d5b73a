"""One assertion of a test turned into one that cannot hold where the old one does.

An expression gives way to text whose value is certainly another. A literal stays one, so that whoever reads the text
finds the other value too. Everything else is evaluated as before and then dropped for something that equals nothing.
"""

from __future__ import annotations

import ast
import contextlib
import math
from dataclasses import dataclass

from analysis.function_text import dotted_name, last_name
from analysis.quality.assertions import MOCK_ASSERTIONS, expected_error_of
from transforms.tree.text_places import Places


def off_value(node: ast.expr, segment: str) -> str:
    """Text for the place of the expression, whose own text is the segment; on as many lines as before."""
    literal = _off_literal(node, segment)
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        if literal is not None and ast.parse(f"({literal})", mode="eval"):
            return literal
    return _take_other_value(segment, "object()")


def _take_other_value(segment: str, value: str) -> str:
    """The expression is evaluated, and the other value taken."""
    return f"({segment}, {value})[1]"


def is_literal(node: ast.expr) -> bool:
    """Whether the text itself says the value, or at least what kind of value it is: ``-3``, ``[x]``, ``f'{x}'``."""
    match node:
        case ast.Constant() | ast.JoinedStr() | ast.List() | ast.Tuple() | ast.Dict() | ast.Set():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
    return False


def _off_literal(node: ast.expr, segment: str) -> str | None:
    match node:
        case ast.Constant(value=bool() as value):
            return str(not value)
        case ast.Constant(value=int() | float() | complex() as value):
            return _off_number(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return _off_number(-value)
        case ast.Constant(value=str() | bytes()) | ast.JoinedStr():
            quote = segment[-1:]
            if quote not in ("'", '"'):
                return None
            closing = quote * 3 if segment.endswith(quote * 3) and segment.count(quote * 3) >= 2 else quote
            return f"{segment[: -len(closing)]}~{closing}"
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            return _longer(segment, elements, '"~"', "," if isinstance(node, ast.Tuple) else "")
        case ast.Dict(values=values):
            return _longer(segment, values, '"~": "~"', "")
    return None


def _off_number(value: complex) -> str | None:
    """Seven more, or half of a number so large that seven more is the same."""
    other = value + 7
    if other == value:
        other = value / 2
    if other == value or other != other or (isinstance(other, float) and math.isinf(other)):
        return None
    return f"({other!r})" if isinstance(value, complex) else repr(other)


def _longer(segment: str, elements: list[ast.expr], more: str, comma: str) -> str | None:
    """The display with one element more, behind the last of those that it has."""
    if not elements:
        return f"{segment[0]}{more}{comma}{segment[-1]}" if segment[1:-1].strip() == "" else None
    body = segment[:-1].rstrip()
    if "#" in body.rsplit("\n", 1)[-1]:
        return None
    kept = segment[len(body) : -1]
    return f"{body}{'' if body.endswith(',') else ','} {more}{kept}{segment[-1]}"


Splice = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class OffAssertion:
    """The splices that make an assertion impossible. ``ends``: whoever comes beyond it has a value that equals two."""

    splices: tuple[Splice, ...]
    by_value: bool
    ends: bool


def invert_assert(node: ast.Assert, places: Places) -> OffAssertion:
    """An ``assert`` of another value, where it compares with one; else of the opposite."""
    splice = _invert_comparison(node.test, places)
    if splice is not None:
        return OffAssertion((splice,), by_value=True, ends=True)
    return OffAssertion(((*places.span(node.test), f"not ({places.text(node.test)})"),), by_value=False, ends=True)


def invert_call(call: ast.Call, places: Places, *, whole: bool) -> OffAssertion | None:
    """An assertion method's call; ``whole`` says that it is a statement of its own."""
    expecting = invert_context(call, places)
    if expecting is not None:
        return expecting
    if not whole:
        return None
    name = last_name(call.func)
    splice = _invert_argument(name, call, places)
    if splice is not None:
        return OffAssertion((splice,), by_value=True, ends=True)
    if name in _OPPOSITES and isinstance(call.func, ast.Attribute):
        end = places.span(call.func)[1]
        return OffAssertion(((end - len(name), end, _OPPOSITES[name]),), by_value=False, ends=True)
    return None


def invert_context(node: ast.expr, places: Places) -> OffAssertion | None:
    """A call that waits for an exception or a warning, which is now one that nobody knows."""
    # pytest's own or a method of the test case: others of the same name may do as they please.
    if not isinstance(node, ast.Call):
        return None
    name = dotted_name(node.func)
    if name not in _EXPECTING and not name.startswith("self.assert"):
        return None
    expected, base = expected_error_of(node), "Exception"
    if expected is None and last_name(node.func) in _WARNS and node.args and not isinstance(node.args[0], ast.Starred):
        expected, base = node.args[0], "Warning"
    if expected is None:
        return None
    never = _replace_value(expected, f'type("Never", ({base},), {{}})', places)
    return OffAssertion((never,), by_value=True, ends=False)


_EXPECTING = ("raises", "warns", "pytest.raises", "pytest.warns")
_WARNS = ("warns", "assertWarns", "assertWarnsRegex")
_NEAR = ("assertAlmostEqual", "assertAlmostEquals", "assert_almost_equal", "assert_allclose", "assert_approx_equal")
_EQUAL = (
    *("assertEqual", "assertEquals", "assertIs", "assertListEqual", "assertTupleEqual", "assertSetEqual"),
    *("assertDictEqual", "assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual", "assertItemsEqual"),
    *("assert_equal", "assert_array_equal", "assert_string_equal"),
)
_CALLED_WITH = tuple(name for name in MOCK_ASSERTIONS if name.endswith(("_with", "_any_call", "_any_await")))
_OPPOSITES = {
    name: other
    for one, two in (
        ("assertTrue", "assertFalse"),
        ("assertIsNone", "assertIsNotNone"),
        ("assertEqual", "assertNotEqual"),
        ("assertIs", "assertIsNot"),
        ("assertIn", "assertNotIn"),
        ("assertIsInstance", "assertNotIsInstance"),
        ("assertGreater", "assertLessEqual"),
        ("assertLess", "assertGreaterEqual"),
        ("assertRegex", "assertNotRegex"),
        ("assertAlmostEqual", "assertNotAlmostEqual"),
        ("assert_called", "assert_not_called"),
        ("assert_awaited", "assert_not_awaited"),
    )
    for name, other in ((one, two), (two, one))
} | {"assert_called_once": "assert_not_called", "assert_awaited_once": "assert_not_awaited", "assert_": "assertFalse"}


def _replace_value(node: ast.expr, value: str, places: Places) -> Splice:
    return (*places.span(node), _take_other_value(places.text(node), value))


def _off(node: ast.expr, places: Places) -> Splice:
    return (*places.span(node), off_value(node, places.text(node)))


def _invert_comparison(test: ast.expr, places: Places) -> Splice | None:
    """The other value in a comparison for equality, identity or membership that the whole condition depends on."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return next((found for value in values if (found := _invert_comparison(value, places)) is not None), None)
        case ast.Compare(left=left, ops=[ast.In()]):
            return _replace_value(left, "object()", places)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
            return _off(_expected_side(left, right), places)
        case ast.Compare(ops=ops, comparators=sides):
            same = [side for op, side in zip(ops, sides, strict=True) if isinstance(op, (ast.Eq, ast.Is))]
            return _off(same[-1], places) if same else None
    return None


def _expected_side(left: ast.expr, right: ast.expr) -> ast.expr:
    return left if is_literal(left) and not is_literal(right) else right


def _invert_argument(name: str, call: ast.Call, places: Places) -> Splice | None:
    """The other value among the arguments of an assertion method."""
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    match call.args:
        case [left, right, *_] if name in _EQUAL:
            return _off(_expected_side(left, right), places)
        case [_, right, *_] if name in _NEAR:
            return _replace_value(right, "object()", places)
        case [left, _, *_] if name == "assertIn":
            return _replace_value(left, "object()", places)
        case [first, *_] if name in _CALLED_WITH:
            return _replace_value(first, "object()", places)
        case [] if name in _CALLED_WITH and not call.keywords:
            end = places.span(call)[1] - 1
            return (end, end, "object()")
    return None
