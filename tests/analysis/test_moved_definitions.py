"""Where definitions went: under another name, in another file, or nobody can tell."""

import inspect
import textwrap

import pytest

from analysis.moved_definitions import NotFound, likeness, new_place, read_names

TOTAL = """
def total(prices, tax):
    if not prices:
        return 0
    return sum(price + price * tax // 100 for price in prices)
"""
CART = """
class Cart:
    def __init__(self, items):
        self.items = items

    def dear(self, least):
        return [item for item in self.items if item > least]
"""


def names(**files: str):
    sources = tuple((f"{name}.py", textwrap.dedent(text).encode()) for name, text in files.items())
    return read_names(sources, {f"{name}.py": name for name in files})


@pytest.mark.parametrize(
    ("new", "place"),
    [
        ({"shop": TOTAL}, "shop.total"),
        ({"sums": TOTAL}, "sums.total"),
        ({"shop": TOTAL.replace("total", "add_up")}, "shop.add_up"),
        ({"shop": TOTAL.replace("total", "add_up").replace("prices", "amounts")}, "shop.add_up"),
        ({"sums": TOTAL.replace("// 100", "// 1000")}, "sums.total"),
        ({"sums": TOTAL, "other": TOTAL.replace("total", "add_up")}, "sums.total"),
    ],
)
def test_where_a_function_went(new, place):
    assert new_place("shop.total", names(shop=TOTAL), names(**new)) == place


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (TOTAL, {"shop": "x = 1"}, "nothing new is like it"),
        (TOTAL, {"shop": "def total(prices):\n    print('nothing of what it did')\n"}, None),
        (TOTAL, {"a": TOTAL, "b": TOTAL}, "several new ones are like it: a.total, b.total"),
        ("def one(n):\n    return n + 1\n", {"shop": "def two(n):\n    return n + 2\n"}, "nothing new is like it"),
        (TOTAL, {"shop": "class total:\n    pass\n"}, None),
    ],
)
def test_what_nobody_can_tell(old, new, why):
    name = "shop.total" if "total" in old else "shop.one"
    found = new_place(name, names(shop=old), names(**new))
    assert isinstance(found, NotFound) if why else found == name
    assert not why or why in str(found)


def test_a_sibling_that_was_there_before_is_no_new_place():
    twin = TOTAL.replace("total", "sum_up")
    found = new_place("shop.total", names(shop=TOTAL + twin), names(shop=twin))
    assert isinstance(found, NotFound)


def test_a_method_follows_its_class():
    new = names(shop=CART.replace("Cart", "Basket").replace("dear", "costly"))
    assert new_place("shop.Cart.dear", names(shop=CART), new) == "shop.Basket.costly"
    assert new_place("shop.Cart", names(shop=CART), new) == "shop.Basket"


def test_a_name_that_was_no_definition_and_a_file_that_cannot_be_read():
    assert isinstance(new_place("shop.LIMIT", names(shop="LIMIT = 3"), names(shop="def f(: pass")), NotFound)


def test_names_that_modules_bind():
    found = names(shop="import os.path\nfrom sums import total as add\nLIMIT = 3\n")
    assert {"shop.os", "shop.add", "shop.LIMIT"} <= found.bound
    assert found.split("shop.Cart.dear") == ("shop", "Cart.dear")
    assert found.split("elsewhere.f") == ("", "elsewhere.f")


def test_functions_of_the_standard_library_are_found_again_in_another_file():
    source = inspect.getsource(textwrap)
    old, new = names(textwrap=source), names(wrapping=source.replace("def dedent(", "def without_indent("))
    for each in ("wrap", "fill", "shorten", "indent", "TextWrapper", "TextWrapper._split"):
        assert new_place(f"textwrap.{each}", old, new) == f"wrapping.{each}"
    assert new_place("textwrap.dedent", old, new) == "wrapping.without_indent"
    one, other = (found.definitions[name].node for found, name in ((old, "textwrap.wrap"), (new, "wrapping.indent")))
    assert likeness(one, other) < 0.8
