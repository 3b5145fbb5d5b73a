"""Behaviours as people read them."""

from dataclasses import replace

import pytest
from fakes.behaviours import behaviour, differs, result

from analysis.behaviour import Ended, EndingKind, EndOfTest, EndsOfTest, Hung, Raised, Returned
from repair.records.witness_text import (
    ask_which,
    describe_behaviour,
    describe_both,
    describe_ends,
    describe_witness,
    is_odd,
    pick_unlike,
)


def test_examples_are_the_first_the_shortest_and_the_least_alike():
    departures = [
        differs("f(111)", "returns '111th'", "returns '111st'"),
        differs("f(112)", "returns '112th'", "returns '112nd'"),
        differs("f(1111)", "returns '1111th'", "returns '1111st'"),
        differs("f(-908)", "raises ValueError('x')", "returns '-908th'"),
        differs("f(31)", "returns '31th'", "returns '31st'"),
    ]
    chosen = pick_unlike(tuple(departures), 3)
    assert [witness.call.source for witness in chosen] == ["f(111)", "f(31)", "f(-908)"]
    assert pick_unlike(tuple(departures), 1) == (departures[0],)
    assert pick_unlike((), 3) == ()
    assert pick_unlike(tuple(departures[:1] * 3), 3) == (departures[0],)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (Returned("5"), "returns 5"),
        (Returned("'aaa…", whole=False), "returns 'aaa…"),
        (Returned("…END'", whole=False), "returns …END'"),
        (Raised("KeyError", "'a'"), "raises KeyError('a')"),
        (Raised("KeyError", "'a…", whole=False), "raises KeyError('a…"),
        (Hung(1.0), "does not end within 1 s"),
        (Hung(0.5), "does not end within 0.5 s"),
        (Ended("signal 11"), "ends otherwise: signal 11"),
        (Returned("x" * 500), "returns " + "x" * 192 + "…"),
    ],
)
def test_a_behaviour_is_a_short_sentence(known, text):
    assert describe_behaviour(known) == text


def test_what_is_left_is_said_where_two_calls_differ_in_it_alone():
    left = differs("push([1], 2)", "returns None, leaves args ([1, 2],)", "returns None, leaves args ([2],)")
    assert describe_both(left) == ("returns None, leaves args ([1, 2],)", "returns None, leaves args ([2],)")
    assert describe_witness(left).startswith("push([1], 2) returns None, leaves args ([1, 2],), and returns None")
    assert ask_which(left).startswith("Should push([1], 2) return None, leave args ([1, 2],) (this patch) or return")
    one, two = (f"returns None, leaves args ([Cart(items={n}), 'a, b'], {{}})" for n in (1, 2))
    asked = ask_which(differs("add('a, b') on Cart()", one, two))
    assert "return None, leave it as Cart(items=1) (this patch) or return None, leave it as Cart(items=2)?" in asked


def test_long_texts_are_shown_where_they_differ():
    long = "a" * 400
    mine, other = describe_both(differs("f(1)", f"returns '{long}b'", f"returns '{long}c'"))
    assert mine.startswith("…a")
    assert (mine[-2:], other[-2:]) == ("b'", "c'")
    assert len(mine) < 80


def test_what_is_as_before_is_said_so():
    assert describe_witness(result("f(2)", "raises ValueError('x')")) == "f(2) raises ValueError('x'), as before"


FIVE = differs("f(5)", "returns 1", "returns 2", made=True, test="t.py::test_it")
PASSES = EndOfTest(EndingKind.PASSED)


@pytest.mark.parametrize(
    ("mine", "other", "said"),
    [
        (PASSES, PASSES, "t.py::test_it passes either way"),
        (
            PASSES,
            EndOfTest(EndingKind.FAILED, "AssertionError: ", 7, "assert total == 3"),
            "t.py::test_it passes, and fails in line 7 where the other goes on: assert total == 3",
        ),
        (
            PASSES,
            EndOfTest(EndingKind.ENDED, "signal 9"),
            "t.py::test_it passes, and ends its process where the other goes on: signal 9",
        ),
        (PASSES, EndOfTest(EndingKind.HUNG), "t.py::test_it passes, and does not end where the other goes on"),
        (EndOfTest(EndingKind.FAILED, "x", 3), EndOfTest(EndingKind.FAILED, "y", 3), "t.py::test_it fails either way"),
    ],
)
def test_how_the_test_goes_on_is_a_clause(mine, other, said):
    known = replace(FIVE, ends=EndsOfTest(mine, other))
    assert describe_ends(known) == said
    assert describe_witness(known) == f"{describe_witness(FIVE)}; {said}"
    assert not describe_ends(FIVE)


def test_a_question_is_a_sentence():
    doubt = differs("pop(0)", "returns 1", "raises IndexError('x')")
    assert ask_which(doubt) == "Should pop(0) return 1 (this patch) or raise IndexError('x')?"


@pytest.mark.parametrize("text", ["returns 5", "raises KeyError('a')", "returns None, leaves args ([1],)"])
def test_the_texts_of_these_tests_are_read_as_they_are_written(text):
    assert describe_both(differs("f()", text, "returns 'other'"))[0].startswith(text)
    assert behaviour(text) == differs("f()", text, text).mine


@pytest.mark.parametrize(
    ("source", "odd"),
    [
        ("fill('a', _width=-80)", True),
        ("fill(_width=-80)", True),
        ("trim('\\x00a')", True),
        ("add(1e+300)", True),
        ("add(float('inf'))", True),
        ("add(12345678901)", True),
        ("draw() on Table(_width=-80, _rows=[])", True),
        ("draw() on Table(_width=80, _rows=[-1])", False),
        ("trim('a', width=-80)", False),
        ("_trim('a', my_width=8)", False),
        ("add(_a == 3)", False),
        ("add(1.5, 'info')", False),
    ],
)
def test_values_that_nobody_would_write_are_odd(source: str, odd: bool) -> None:
    assert is_odd(source) is odd
