"""A check is taken apart where its assertions are independent, and left whole where they may not be."""

from __future__ import annotations

import ast

import pytest

from corpora.loaders.checks import split


def parts(check: str) -> list[str]:
    return ["\n".join(map(ast.unparse, part)) for part in split(ast.parse(check).body)]


def test_each_assertion_is_a_test():
    assert parts("assert f(1)\nassert f(2)") == ["assert f(1)", "assert f(2)"]


def test_a_loop_that_asserts_is_one_test():
    assert parts("assert f(0)\nfor n in (1, 2):\n    assert f(n)") == [
        "assert f(0)",
        "for n in (1, 2):\n    assert f(n)",
    ]


def test_bindings_go_along_where_they_are_read():
    check = "import math\nn = 3\nm = n + 1\nassert f(1)\nassert f(m) < math.pi\nassert f(3)"
    assert parts(check) == ["assert f(1)", "import math\nn = 3\nm = n + 1\nassert f(m) < math.pi", "assert f(3)"]


def test_what_acts_goes_along_everywhere():
    check = "reset()\nassert f(1)\nn = [2]\nn.append(3)\nassert f(n)"
    assert parts(check) == ["reset()\nassert f(1)", "reset()\nn = [2]\nn.append(3)\nassert f(n)"]


def test_helpers_that_assert_make_tests_of_their_calls():
    check = "def same(a, b):\n    assert a == b\nsame(f(1), 2)\nsame(f(2), 3)"
    helper = "def same(a, b):\n    assert a == b\n"
    assert parts(check) == [helper + "same(f(1), 2)", helper + "same(f(2), 3)"]


@pytest.mark.parametrize(
    "check",
    [
        "n = [1]\nassert f(n)\nassert n == [1]",
        "n = [1]\ndef same(a):\n    assert a == n\nsame(f(1))\nsame(f(2))",
        "for n in (1, 2):\n    assert f(n)\nassert f(n)",
        "for n in (1, 2):\n    assert f(n)\nfor n in (3, 4):\n    assert f(n)",
        "assert f(1)",
        "f(1)",
    ],
    ids=["mutated", "through a helper", "bound by a loop", "bound twice", "one", "none"],
)
def test_what_may_hang_together_stays_together(check: str):
    assert parts(check) == [check]
