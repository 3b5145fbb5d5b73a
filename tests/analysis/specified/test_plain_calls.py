"""Calls in the words of people who write no code."""

import ast

import pytest

from analysis.specified.asserted import KnownFunction
from analysis.specified.plain_calls import with_calls
from analysis.stated.function import stated_functions

SOURCE = """
def fee(days, rate=2.5): ...
def tidy(text): ...
"""
NAMED = {
    each.qualname: KnownFunction(f"a.py:{each.qualname}", each) for each in stated_functions("a.py", ast.parse(SOURCE))
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fee is called with days 3 then it is 7", "`fee(days=3)` is called then it is 7"),
        ("`fee` is called with 1 and 4", "`fee(1, 4)` is called"),
        (
            "When fee() is called with 1, rate=4.0, the system shall return 4",
            "When `fee(1, rate=4.0)` is called, the system shall return 4",
        ),
        ("`tidy` is given 'a, b and c'", "`tidy('a, b and c')` is called"),
        ("tidy is called with [1, 2] then", "`tidy([1, 2])` is called then"),
        ("I call fee(0)", "I call `fee(0)`"),
        ("`fee(0)` and `x fee(1)`", "`fee(0)` and `x fee(1)`"),
    ],
)
def test_calls(text, expected):
    assert with_calls(text, NAMED) == expected


@pytest.mark.parametrize(
    "text",
    [
        "fee is called with a heavy heart",
        "fee is called with 3 friends",
        "fee is called with days 3 or 4",
        "fee is called with 3, 5 times",
        "fee is called with days=3, 4",
        "fee is called with weeks 3",
        "toll is called with 3",
        "toll(0) is free",
        "x.fee(0) is free",
        "fee is called with 007",
    ],
)
def test_what_is_no_call_stays(text):
    assert with_calls(text, NAMED) == text
