"""Near-misses are small wrong programs of the same function, in a fixed order, and none is the right one."""

import ast

import pytest

from corpora.lab.benchmarks.near_misses import near_misses

RIGHT = '''\
def total(prices, most=3):
    """Add them up."""
    result = 0
    for price in prices:
        if price < most and price > 0:
            break
        result = max(result, price) + price
    return result
'''


@pytest.mark.parametrize(
    "part",
    [
        "max(price, result)",  # arguments exchanged
        "max(result, price) - price",  # another operator
        "price <= most",  # another comparison
        "price < most or price > 0",
        "most=4",  # another number
        "continue",
        "for price in []:",
        "if not (price < most and price > 0):",
        "return prices",  # another variable
    ],
)
def test_each_kind_of_slip_is_made(part):
    assert [text for text in near_misses(RIGHT) if part in text]


def test_all_are_other_programs_of_one_function():
    found = near_misses(RIGHT)
    assert len(found) == len(set(found)) > 40
    right = ast.unparse(ast.parse(RIGHT))
    for text in found:
        (function,) = ast.parse(text).body
        assert isinstance(function, ast.FunctionDef)
        assert text != right
        assert ast.get_docstring(function) == "Add them up."


def test_a_statement_is_lost_and_two_are_exchanged():
    found = near_misses("def f(a):\n    a += 1\n    g(a)\n")
    assert "def f(a):\n    g(a)" in found
    assert "def f(a):\n    g(a)\n    a += 1" in found


def test_a_method_in_its_indentation_is_taken_and_what_is_no_program_gives_none():
    assert "def f(self):\n    return 2" in near_misses("    def f(self):\n        return 1\n")
    assert near_misses("def f(:") == ()
