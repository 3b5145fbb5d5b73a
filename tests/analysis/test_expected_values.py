from __future__ import annotations

import ast

import pytest

from analysis.expected_values import values_of_tests
from analysis.facts import TestId
from analysis.literals import NotLiteral, is_common, literal

SOURCE = b"""
import pytest
@pytest.mark.parametrize("text, n", [("5.5", 550), pytest.param("6.5", 650, id="x")])
def test_rows(text, n):
    assert parse(text) == n
@pytest.mark.parametrize(["args", "expected"], [([300], "300 Bytes")])
def test_star(args, expected):
    result = parse(*args)
    assert result == expected
def test_loop():
    for text, want in {"7.5": 750}.items():
        assert parse(text) == want
def test_plain():
    found = parse("8.5")
    assert found == 850 and parse(1234) == [10, 20]
def test_named():
    answer = "whole"
    assert answer == parse("put in")
def test_near():
    assert parse("9.5") == pytest.approx(9.51)
def test_object():
    assert parse("10.5") == Decimal("10.51")
def test_raise():
    with pytest.raises(ValueError, match="no such text"):
        parse("zzz")
def test_common():
    assert parse("") == 0 or parse(None) is None or parse(1) == -1
class TestUnit:
    def test_equal(self):
        self.assertEqual(parse("x1"), "one")
        self.assertRaises(SystemExit, parse, "quit")
    def test_mock(self):
        m.write.assert_called_with("sent")
"""


@pytest.mark.parametrize(
    ("test", "expected", "inputs", "raises"),
    [
        ("test_rows", {550, 650}, {"5.5", "6.5"}, set()),
        ("test_star", {"300 Bytes"}, {300, (300,)}, set()),
        ("test_loop", {750}, {"7.5"}, set()),
        ("test_plain", {850, (10, 20)}, {"8.5", 1234}, set()),
        ("test_named", {"whole"}, {"put in"}, set()),
        ("test_near", {9.51}, {"9.5"}, set()),
        ("test_object", {"10.51"}, {"10.5"}, set()),
        ("test_raise", set(), {"zzz"}, {"ValueError"}),
        ("test_common", set(), set(), set()),
        ("TestUnit::test_equal", {"one"}, {"x1", "quit"}, {"SystemExit"}),
        ("TestUnit::test_mock", {"sent"}, set(), set()),
        ("test_gone", set(), set(), set()),
    ],
)
def test_what_a_test_mentions(test: str, expected: set[object], inputs: set[object], raises: set[str]) -> None:
    values = values_of_tests(SOURCE, [TestId(f"t.py::{test}[some::row]")])
    assert values.expected == expected
    assert values.inputs == inputs
    assert values.raises == raises
    assert values_of_tests(SOURCE, [TestId(f"t.py::{test}")]).expected == expected


def test_an_unreadable_test_mentions_nothing() -> None:
    assert values_of_tests(b"def test_it(:", [TestId("t.py::test_it")]).expected == frozenset()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-5", -5),
        ("'5' + '.5'", "5.5"),
        ("55 * 10", 550),
        ("[1, (2, 'x')]", (1, (2, "x"))),
        ("{'a': [1]}", (("a", (1,)),)),
        ("f'{5}.5'", "5.5"),
        ("{3}", frozenset({3})),
    ],
)
def test_literals_are_folded(text: str, value: object) -> None:
    assert literal(ast.parse(text, mode="eval").body) == value


@pytest.mark.parametrize(
    "text", ["x", "f'{x}'", "1 / 0", "'a' * 100000 * 100000", "9 ** 9 ** 9", "'%s' % 1", "-'a'", "{**a}", "99999 * 2"]
)
def test_what_is_no_literal_is_refused(text: str) -> None:
    with pytest.raises(NotLiteral):
        literal(ast.parse(text, mode="eval").body)


def test_common_values_say_nothing() -> None:
    assert all(is_common(v) for v in (None, True, False, 0, 1, -1, 2, 0.0, "", " ", b"", (), (0, 1), ..., frozenset()))
    assert not any(is_common(v) for v in (3, 0.5, "ab", (0, 3), b"ab"))
