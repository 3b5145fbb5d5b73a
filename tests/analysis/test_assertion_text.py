"""What a failing test got and what it wanted."""

from __future__ import annotations

import pytest

from analysis.assertion_text import GotAndWanted, read_assertion
from analysis.facts import Diagnosis, Failure, FailureClass, Frame, Outcome, Phase, SeenError, TestId
from analysis.relation import Relation

PATH = "test_shop.py"


def read(
    message: str,
    statement: str = "",
    *,
    kind: str = "AssertionError",
    outcome: Outcome = Outcome.FAILED,
    line: int = 2,
) -> GotAndWanted:
    """What is read of a test with one statement that fails with this message."""
    source = f"def test_price():\n    {statement or 'pass'}\n"
    frame = Frame(PATH, True, line, None, None, None, "test_price", "test_price", 1)
    raised = SeenError(kind, (kind, "Exception"), message, (frame,))
    failure = Failure(TestId(f"{PATH}::test_price"), Phase.CALL, outcome, (raised,), message)
    diagnosis = Diagnosis(failure, FailureClass.LOGIC, "", ())
    return read_assertion(diagnosis, [(PATH, source.encode())])


@pytest.mark.parametrize(
    ("message", "statement", "expected"),
    [
        ("assert 5 == 6\n +  where 5 = price(3)", "assert price(3) == 6", ("price(3)", "5", "6", Relation.OFF_BY_ONE)),
        ("assert 6 == 5\n +  where 5 = price(3)", "assert 6 == price(3)", ("price(3)", "5", "6", Relation.OFF_BY_ONE)),
        ("assert 6 == 5\n +  where 5 = price(3)", "", ("price(3)", "5", "6", Relation.OFF_BY_ONE)),
        ("AssertionError: assert 'A' == 'a'", "assert f() == 'a'", ("f()", "'A'", "'a'", Relation.CASE)),
        ("assert 0.30000000000000004 == 0.3 ± 3e-07", "", ("", "0.30000000000000004", "0.3", Relation.ROUNDING)),
        ("assert None is 3", "assert f() is 3", ("f()", "None", "3", Relation.NONE)),
        ("1 != 2", "self.assertEqual(f(1), 2)", ("f(1)", "1", "2", Relation.OFF_BY_ONE)),
        ("2 != 1", "self.assertEqual(2, f(1))", ("f(1)", "1", "2", Relation.OFF_BY_ONE)),
        (
            "Lists differ: [1] != [1, 2]\n\nSecond",
            "self.assertEqual(f(), [1, 2])",
            ("f()", "[1]", "[1, 2]", Relation.SUBSET),
        ),
        ("assert <A 1> == <A 2>", "assert f() == a", ("f()", "<A 1>", "<A 2>", None)),
        ("assert 'x' in 'abc'", "assert f() in g", ("f()", "'x'", "a value in 'abc'", None)),
        ("assert 3 < 2", "assert f() < 2", ("f()", "3", "a value that is < 2", None)),
        ("assert 3 != 3", "assert f() != 3", ("f()", "3", "a value that is != 3", None)),
        ("assert False\n +  where False = ok(1)", "assert ok(1)", ("ok(1)", "False", "a true value", None)),
        ("assert not True\n +  where True = ok(1)", "assert not ok(1)", ("ok(1)", "True", "a false value", None)),
        ("", "assert ok(1)", ("ok(1)", "", "", None)),
    ],
)
def test_both_sides_of_an_assertion_are_read(message: str, statement: str, expected: tuple[object, ...]) -> None:
    found = read(message, statement)
    assert (found.call, found.got, found.wanted, found.relation) == expected


def test_the_item_that_differs_is_told() -> None:
    assert read("assert [1, 9] == [1, 2]").item == "[1] is 9, and 2 is wanted"


def test_an_exception_where_a_result_is_wanted() -> None:
    found = read("'a'", "assert find('a') == 3", kind="KeyError")
    assert found == GotAndWanted("find('a')", "KeyError: 'a'", "3", Relation.RAISED)


def test_another_exception_than_the_wanted_one() -> None:
    found = read("'a'", "with raises(ValueError):\n        find('a')", kind="KeyError", line=3)
    assert (found.got, found.wanted, found.relation) == ("KeyError: 'a'", "ValueError", Relation.OTHER_EXCEPTION)
    assert found.call == "find('a')"


def test_an_exception_that_did_not_come() -> None:
    found = read("DID NOT RAISE <class 'ValueError'>", "with raises(ValueError):\n        find('a')", kind="Failed")
    assert found == GotAndWanted("find('a')", "no exception", "ValueError", Relation.NOT_RAISED)


def test_an_exception_with_another_message() -> None:
    message = "Regex pattern did not match.\n  Expected regex: 'not found'\n  Actual message: 'missing'"
    found = read(message, "find('a')")
    assert (found.got, found.wanted, found.relation) == ("'missing'", "'not found'", Relation.OTHER_MESSAGE)


def test_a_test_that_does_not_end() -> None:
    assert read("", "assert f(1) == 2", outcome=Outcome.HANG).relation is Relation.ENDLESS


@pytest.mark.parametrize("message", ["assert " + "(" * 3000, "assert", "assert == ==", "\x00", "assert 1 == 2 == 3"])
def test_a_message_that_nobody_can_read_says_nothing_wrong(message: str) -> None:
    assert read(message, "pass").relation is None
