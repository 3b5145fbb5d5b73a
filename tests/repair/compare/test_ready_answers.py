"""A witness becomes an answer that is ready to be given."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.behaviours import differs

from analysis.facts import FunctionId
from repair.compare.ready_answers import write_answer, write_as_test

PRICES = b"""\
class NoStock(Exception):
    pass


class Cart:
    def __init__(self, items): ...

    def add(self, price): ...

    def total(self): ...

    @property
    def size(self): ...

    def __hidden(self): ...

    @classmethod
    def parse(cls, text): ...


class Big(Cart):
    pass
"""

SOURCES = (
    ("src/shop/__init__.py", b""),
    ("src/shop/prices.py", PRICES),
    ("src/shop/more.py", b"class Other: ...\n"),
    ("src/shop/most.py", b"class Other: ...\n"),
    ("tests/test_prices.py", b""),
)


@pytest.mark.parametrize(
    ("call", "mine", "answer"),
    [
        ("half(4, up=True)", "returns 2", "shop.prices.half(4, up=True) == 2"),
        ("half(-4)", "returns {'a': [1.5, None]}", "shop.prices.half(-4) == {'a': [1.5, None]}"),
        ("half(None)", "raises TypeError('no')", "shop.prices.half(None) raises TypeError"),
        ("half(None)", "raises Empty('no')", ""),
        ("half(None)", "raises NoStock('no')", "shop.prices.half(None) raises shop.prices.NoStock"),
        ("half(Cart(items=[2]))", "returns 2", "shop.prices.half(made(shop.prices.Cart, items=[2])) == 2"),
        ("half(4)", "returns Cart(items=[])", "shop.prices.half(4) == made(shop.prices.Cart, items=[])"),
        ("half(4)", "returns items [1, 2]", "list(shop.prices.half(4)) == [1, 2]"),
        ("half(4)", "returns items [1], and more", ""),
        (f"half(0x{'f' * 3750})", "returns 2", ""),
        ("half(4)", f"returns {'-' * 900}1", ""),
        ("half(<Cart>)", "returns 2", ""),
        ("half([4, x])", "returns 2", ""),
        ("half(4)", "returns <Cart>", ""),
        ("half(4)", "returns 2, leaves args ([],)", ""),
        ("half(4)", "does not end within 1 s", ""),
        ("half('<tmp>/test_it0/a')", "returns 2", ""),
        ("half(4)", "returns '<home>/a'", ""),
    ],
)
def test_a_witness_becomes_an_answer_where_it_has_a_text(call: str, mine: str, answer: str):
    assert (
        write_answer(FunctionId("src/shop/prices.py", "half", 1), differs(call, mine, "returns 3"), SOURCES) == answer
    )


@pytest.mark.parametrize(
    ("method", "call", "mine", "answer"),
    [
        ("total", "total() on Cart(items=[2])", "returns 2", "made(shop.prices.Cart, items=[2]).total() == 2"),
        ("total", "total() on Cart(items=<lock>)", "returns 2", ""),
        ("total", "total() on Cart(items=[…", "returns 2", ""),
        ("total", "total() on Other(items=[2])", "returns 2", ""),
        (
            "total",
            "total() on Big(items=[2])",
            "returns 2",
            "shop.prices.Cart.total(made(shop.prices.Big, items=[2])) == 2",
        ),
        ("add", "add(2) on Big()", "returns 3", "shop.prices.Cart.add(made(shop.prices.Big), 2) == 3"),
        ("size", "size() on Big()", "returns 3", ""),
        ("__hidden", "__hidden() on Cart()", "returns 3", ""),
        ("total", "total()", "returns 2", ""),
        ("size", "size() on Cart(items=[2])", "returns 1", "made(shop.prices.Cart, items=[2]).size == 1"),
        (
            "parse",
            "parse('2')",
            "returns Cart(items=[2])",
            "shop.prices.Cart.parse('2') == made(shop.prices.Cart, items=[2])",
        ),
        (
            "__init__",
            "__init__(-1) on Cart()",
            "raises ValueError('no')",
            "type(shop.prices.Cart(-1)) raises ValueError",
        ),
        ("__init__", "__init__(1) on Cart()", "returns None", "type(shop.prices.Cart(1)) == shop.prices.Cart"),
        (
            "add",
            "add(2) on Cart(items=[])",
            "returns None, leaves args ([Cart(items=[2]), 2], {})",
            "after(made(shop.prices.Cart, items=[]).add, 2) == made(shop.prices.Cart, items=[2])",
        ),
        ("add", "add(2) on Cart(items=[])", "returns None, leaves args ([Cart(items=[2]), 2], {}), globals x=1", ""),
    ],
)
def test_a_method_is_asked_about_on_an_instance_in_its_state(method: str, call: str, mine: str, answer: str):
    line = next(n for n, text in enumerate(PRICES.decode().splitlines(), 1) if f"def {method}(" in text)
    first = line - (method in ("size", "parse"))
    told = differs(call, mine, "raises KeyError('other')")
    assert write_answer(FunctionId("src/shop/prices.py", f"Cart.{method}", first), told, SOURCES) == answer


def test_arguments_that_are_shown_in_part_are_given_whole():
    told = differs("half([1, …)", "returns 2", "returns 3")
    whole = replace(told, call=replace(told.call, exact="([1, 2, 3])"))
    function = FunctionId("src/shop/prices.py", "half", 1)
    assert write_answer(function, told, SOURCES) == ""
    assert write_answer(function, whole, SOURCES) == "shop.prices.half([1, 2, 3]) == 2"


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        (
            "shop.prices.half(4) == 2",
            (
                *("import shop.prices", "", "def test_half():", "    found = shop.prices.half(4)"),
                *("    assert found == 2", "    assert type(found) is type(2)"),
            ),
        ),
        (
            "shop.half('a') raises ValueError",
            (
                *("import shop", "import pytest", "", "def test_half():"),
                *("    with pytest.raises(ValueError):", "        shop.half('a')"),
            ),
        ),
    ],
)
def test_a_ready_answer_is_a_whole_test(answer: str, lines: tuple[str, ...]):
    assert write_as_test(answer) == lines
    compile("\n".join(lines), "test.py", "exec")


def test_an_answer_about_an_instance_is_shown_as_no_test():
    assert write_as_test("made(shop.prices.Cart, items=[2]).total() == 2") == ()
