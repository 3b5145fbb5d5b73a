"""Simpler inputs are of the same kind, and end."""

from __future__ import annotations

import ast

import pytest
from fakes.behaviours import call

from analysis.calls import CallInput, RecordedCall
from analysis.facts import TestId
from repair.compare.hints import Hint
from repair.survey.growing.simpler import (
    MOST_PAIRS,
    extreme_pairs,
    input_of,
    simpler,
    simpler_inputs,
    smaller_calls,
)


@pytest.mark.parametrize(
    ("value", "some"),
    [
        (17, {0, 1, 8, 16}),
        (-4, {0, 1, 4}),
        (0, set()),
        (2.75, {0.0, 2.0, 2.8}),
        (0.0, set()),
        (float("inf"), set()),
        ("abcd", {"ab", "cd", "bcd"}),
        ("a", {""}),
        ("", set()),
        (True, set()),
        (None, set()),
        ((1, 5), {(1,), (5,), (1, 0)}),
    ],
)
def test_what_is_simpler(value, some):
    found = set(simpler(value))
    assert some <= found
    assert bool(found) == bool(some)
    assert all(type(each) is type(value) for each in found)


@pytest.mark.parametrize("value", [100, -7, 3.25, "some text", [1, [2, "x"]], {"a": 1, "b": 2}, (1, (2, 3)), b"abc"])
def test_going_on_comes_to_an_end(value):
    for _ in range(1000):
        following = next(iter(simpler(value)), None)
        if following is None:
            return
        value = following
    raise AssertionError(f"{value!r} is simplified without end")


def test_calls():
    given = {(each.args, each.kwargs) for each in simpler_inputs(call("f([1, 2], n=3)"))}
    assert ("([1, 2],)", "{}") in given
    assert ("([1],)", "{'n': 3}") in given
    assert ("([1, 2],)", "{'n': 0}") in given
    assert list(simpler_inputs(call("f(Cart())"))) == []


@pytest.mark.parametrize(
    ("call", "some"),
    [
        (
            "shop.Cart(items=[1, 5], name='').dear(2)",
            {"shop.Cart(items=[1, 5]).dear(2)", "shop.Cart(items=[1], name='').dear(2)", "shop.Cart(name='').dear(2)"},
        ),
        ("f(1, 'ab')", {"f(1)", "f(0, 'ab')", "f(1, 'b')"}),
        ("f(1, b=2)", {"f(1)", "f(0, b=2)", "f(1, b=0)"}),
        ("till.fee(-7)", {"till.fee(0)", "till.fee(7)", "till.fee()"}),
        ("f(g([3]))", {"f()", "f(g())", "f(g([]))"}),
    ],
)
def test_a_call_is_made_smaller_by_one_part(call, some):
    found = set(smaller_calls(call))
    assert some <= found
    assert call not in found
    for each in found:
        assert ast.unparse(ast.parse(each)) == each


@pytest.mark.parametrize("text", ["till.least", "f()", "f(*a, **b)", "f(", "", "(" * 500])
def test_what_has_no_part_to_leave_out(text):
    assert list(smaller_calls(text)) == []


def seen(args: str, kwargs: str = "{}", *, plain: bool = True) -> RecordedCall:
    return RecordedCall(TestId("t.py::t"), CallInput(args, kwargs), plain)


FITS = (Hint("text", "str"), Hint("least", "int | None", "None"), Hint("most", "Optional[int]", "None"))


def test_two_extremes_come_together():
    found = extreme_pairs([seen("('abc',)", "{'most': 2}")], FITS)
    assert CallInput("('',)", "{'most': 0}") in found
    assert CallInput("('',)", "{'most': 2, 'least': 0}") in found
    assert CallInput("('abc',)", "{'most': 0, 'least': 1}") in found
    assert len(found) == len(set(found)) <= MOST_PAIRS


@pytest.mark.parametrize(
    ("calls", "signature"),
    [
        ([], FITS),
        ([seen("('abc',)", plain=False)], FITS),
        ([seen("(3,)")], (Hint("n"),)),
        ([seen("(3, None)")], ()),
        ([seen("(3,)")], (Hint("n"), Hint("key", "", "len"), Hint("odd", "", "(("))),
    ],
)
def test_no_pair_of_what_has_no_extreme(calls, signature):
    assert extreme_pairs(calls, signature) == []


def test_a_call_that_tests_make_is_no_new_pair():
    assert CallInput("('', 0)", "{}") not in extreme_pairs([seen("('a', 5)"), seen("('', 0)")], ())


def test_what_a_call_is_given():
    assert input_of(call("f([1], n=3)")) == CallInput("([1],)", "{'n': 3}")
    assert input_of(call("f(Cart())")) is None
