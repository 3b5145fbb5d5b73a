"""What another signature means to callers: whom it leaves behind, and which calls of a file are such."""

import ast

import pytest

from analysis.api import signature_of
from analysis.call_sites import CalledFunction, callers_lost, calls_of, new_parameters


def signed(parameters, head="", kind="def"):
    return signature_of(f"{head}{kind} f({parameters}): return 1\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a", "a, b=1"),
        ("a", "a, *, b=1"),
        ("a, /", "a"),
        ("a", "a=1"),
        ("a, b", "a, *rest, **more"),
        ("a: int", "a"),
        ("*, a, b", "*, b, a"),
        ("a, /", "other, /"),
    ],
)
def test_every_call_of_the_old_signature_means_the_same(old, new):
    assert callers_lost(signed(old), signed(new)) == ()


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("a, b=1", "a", ("callers that pass b by name", "callers that pass b by position")),
        ("a", "other", ("callers that pass a by name",)),
        ("a", "a, b", ("callers that leave b out",)),
        ("a, b=1", "a, b", ("callers that leave b out",)),
        ("a", "a, *, b", ("callers that leave b out",)),
        ("a, b", "b, a", ("callers that pass a by position", "callers that pass b by position")),
        ("a, b", "a, *, b", ("callers that pass b by position",)),
        ("a, b", "a, b, /", ("callers that pass a by name", "callers that pass b by name")),
        ("*rest", "", ("callers that pass more by position",)),
        ("**more", "", ("callers that pass more by name",)),
        ("a=1", "a=2", ("callers that leave a out, and get 2 for 1",)),
    ],
)
def test_callers_that_are_left_behind(old, new, lost):
    assert callers_lost(signed(old), signed(new)) == lost


def test_what_a_call_gives_may_be_another_kind_of_thing():
    plain, waiting = signed("a"), signed("a", kind="async def")
    assert callers_lost(plain, waiting) == ("callers that do not await it",)
    assert callers_lost(waiting, plain) == ("callers that await it",)
    assert callers_lost(plain, signed("a", head="@property\n")) == ("callers that count on no decorator",)
    lazy = signature_of("def f(a):\n    yield a\n")
    assert callers_lost(plain, lazy) == ("callers that take a value from it",)


def test_new_parameters():
    assert [p.name for p in new_parameters(signed("a"), signed("a, b=1, *, c=2"))] == ["b", "c"]


TEXT = """\
from shop import total
import shop
total([1])
shop.total([1], 5)
total([1], rebate=5)
total(*args)
cart.total([1])
other()
"""


def broken(old, new, text=TEXT, *, path="use.py", qualname="total", is_method=False):
    callee = CalledFunction("shop.py", qualname, signed(old), signed(new), is_method)
    return [(c.line, c.problem, c.sure) for c in callee.broken_calls(path, ast.parse(text))]


def test_calls_that_no_longer_fit_are_named():
    missing = "missing a required argument: 'rebate'"
    assert broken("a, rebate=0", "a, rebate") == [(3, missing, True), (7, missing, False)]


def test_a_call_that_now_means_something_else_is_named():
    assert broken("a, b", "b, a", "shop.total(1, 2)\nshop.total(a=1, b=2)\n") == [
        (1, "it passes for b what was for a", True)
    ]


def test_a_name_that_means_another_function_is_not_sure():
    text = "from other import total\ntotal(1)\n"
    assert broken("a", "a, b", text) == [(2, "missing a required argument: 'b'", False)]
    assert broken("a", "a, b", text, path="shop.py") == [(2, "missing a required argument: 'b'", True)]


def test_a_method_is_called_without_its_instance_and_a_class_by_its_name():
    assert broken("self, a", "self, a, b", "cart.total(1)\n", qualname="Cart.total", is_method=True) == [
        (1, "missing a required argument: 'b'", False)
    ]
    assert broken("self", "self, b", "Cart()\n", qualname="Cart.__init__", is_method=True)[0][0] == 1


def test_whether_a_call_passes_a_parameter():
    callee = CalledFunction("shop.py", "total", signed("a"), signed("a, b=1"))
    calls = list(calls_of(ast.parse("total(1)\ntotal(1, 2)\ntotal(1, b=2)\ntotal(*x)\ntotal(c=1)\n"), "total"))
    assert [callee.is_passed(call, "b") for call in calls] == [False, True, True, True, False]
