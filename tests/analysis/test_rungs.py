"""How far apart two behaviours of one call are, and which inputs are odd beside those that tests use."""

from __future__ import annotations

import pytest
from fakes.behaviours import behaviour, call

from analysis.behaviour import Rung, rung_between, type_of
from analysis.calls import CallInput, is_odd


@pytest.mark.parametrize(
    ("one", "other", "rung"),
    [
        ("returns 6", "returns 6", Rung.SAME),
        ("returns 6.0", "returns 6", Rung.EQUAL),
        ("returns True", "returns 1", Rung.EQUAL),
        ("returns {1, 2}", "returns {2, 1}", Rung.EQUAL),
        ("returns items [1, 2]", "returns items [1.0, 2]", Rung.EQUAL),
        ("returns 0.30000000000000004", "returns 0.3", Rung.NEAR),
        ("returns <Cart at 0x7f00deadbeef>", "returns <Cart at 0x7f00deadbee0>", Rung.NEAR),
        ("raises KeyError('a')", "raises KeyError('b')", Rung.NEAR),
        ("returns 6", "returns 7", Rung.VALUE),
        ("returns [1, 2]", "returns (1, 2)", Rung.VALUE),
        ("returns None, leaves args ([1],)", "returns None, leaves args ([],)", Rung.VALUE),
        ("returns 6…", "returns 6.0…", Rung.VALUE),
        ("returns 6", "raises KeyError('a')", Rung.ENDING),
        ("raises ValueError('a')", "raises KeyError('a')", Rung.ENDING),
        ("returns 6", "does not end within 1 s", Rung.ENDING),
    ],
)
def test_the_rung_says_how_far_two_ends_are_apart(one: str, other: str, rung: Rung) -> None:
    assert rung_between(behaviour(one), behaviour(other)) is rung
    assert rung_between(behaviour(other), behaviour(one)) is rung


@pytest.mark.parametrize(
    ("text", "name"),
    [("returns 6", "int"), ("returns [1]", "list"), ("returns <Cart>", ""), ("raises KeyError()", "")],
)
def test_the_type_of_a_value_is_known_where_its_picture_is_a_literal(text: str, name: str) -> None:
    assert type_of(behaviour(text)) == name


SEEN = (CallInput("(3, 'a', [1, 2])", "{'unit': {'g': 1}}"), CallInput("(8, 'b', [])", "{}"))


@pytest.mark.parametrize(
    ("source", "odd"),
    [
        ("f(5, 'c', [7])", False),
        ("f(5.5, '', [])", False),
        ("f(-1, 'c', [7])", True),
        ("f(None, 'c')", True),
        ("f(10**9)", False),  # no literal: nothing is said of it
        ("f(1000000000)", True),
        ("f(5, 7)", True),
        ("f(5, 'c', [None])", True),
        ("f(5, 'c', [7], unit={'kg': 2})", False),
        ("f(5, 'c', [7], unit={'kg': 'x'})", True),
        ("f(5, 'c', [7], {}, more=None)", False),  # in a place where nothing was seen
        ("f(<Cart>)", False),
    ],
)
def test_odd_is_what_no_test_gives_anything_like(source: str, odd: bool) -> None:
    assert is_odd(call(source), SEEN) is odd


def test_without_calls_of_tests_nothing_is_odd() -> None:
    assert not is_odd(call("f(None)"), ())


def test_a_number_without_end_is_odd_where_all_seen_ones_end() -> None:
    seen = (CallInput("(1.5,)", "{}"),)
    assert not is_odd(call("f(1e999)"), (CallInput("(1e999,)", "{}"),))
    assert is_odd(call("f(1e999)"), seen)
