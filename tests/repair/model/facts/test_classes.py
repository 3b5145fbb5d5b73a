"""The class of a function, and the classes that it works with."""

from __future__ import annotations

import ast
import inspect
from textwrap import dedent

import _pytest.mark.structures
import pytest
from fakes.matters import SHOP, matter

from repair.model.facts.classes import MOST_CLASSES, MOST_FIELDS, classes_in_use, its_class

CART = dedent("""\
    from dataclasses import dataclass
    from lines import Line, Coupon as Cut


    class Cart:
        lines: "list[Line]"

        def total(self, cut: Cut):
            return sum(line.price() for line in self.lines) - cut.off


    def cheapest(lines):
        return min(lines, key=lambda line: (line.amount, line.sku))
    """)
LINES = dedent("""\
    class Line:
        \"\"\"One line of a cart.\"\"\"

        sku: str
        secret_key = "canary"

        def __init__(self, sku, amount=1):
            self.sku = sku
            self.amount = amount
            self.quantity = max(amount, 1)

        def price(self) -> int:
            return 3 * self.quantity

        def other(self):
            return 1

        def _hidden(self):
            return 2


    class Coupon:
        off: int = 0


    class NoLine(ValueError):
        \"\"\"Nothing is in it.\"\"\"
    """)


def used(qualname: str, source: str = CART, lines: str = LINES) -> str:
    return classes_in_use(
        matter(qualname, source, sources=(("shop.py", source.encode()), ("lines.py", lines.encode())))
    )


def test_the_class_has_header_attributes_set_up_and_heads_of_methods() -> None:
    assert its_class(matter()) == (
        "class Shop(Base):\n"
        '    """Sells things."""\n'
        "    kinds: tuple = ('a', 'b')\n"
        "    def __init__(self, name, stock=None):\n"
        "        super().__init__(name)\n"
        "        self.stock = stock or {}\n"
        "    @property def size(self): ...\n"
        "    def rounded(self, value: float, digits: int=2) -> float: ..."
    )


def test_a_class_without_its_own_set_up_has_that_of_its_base() -> None:
    source = SHOP.replace("    def __init__(self, name, stock=None):", "    def start(self, name, stock=None):")
    assert "its base Base has:\n    def __init__(self, name):\n        self.name = name" in its_class(
        matter(source=source)
    )


def test_a_function_of_a_module_has_no_class_and_a_bare_class_says_nothing() -> None:
    assert its_class(matter("report")) == ""
    assert its_class(matter("A.f", source="class A:\n    def f(self):\n        return 1\n")) == ""


def test_the_class_of_what_a_function_is_given_has_fields_what_is_set_and_the_methods_that_are_called() -> None:
    assert used("Cart.total") == (
        "# lines.py:1\n"
        "class Line:\n"
        '    """One line of a cart."""\n'
        "    sku: str\n"
        "    secret_key = '[hidden]'\n"
        "    self.amount = amount\n"
        "    self.quantity = max(amount, 1)\n"
        "    def price(self) -> int:\n"
        "        return 3 * self.quantity\n"
        "    def __init__(self, sku, amount=1): ...\n"
        "    def other(self): ...\n"
        "# lines.py:22\n"
        "class Coupon:\n"
        "    off: int = 0"
    )


def test_a_class_that_nothing_names_is_known_by_attributes_that_few_others_have() -> None:
    other = "\n\nclass Box:\n    amount: int\n"
    assert used("cheapest", CART.replace("line.sku", "0")).startswith("# lines.py:1\nclass Line:")
    assert used("cheapest", CART.replace("line.sku", "0"), LINES + other) == "", "it may be of either"
    assert "class Box" not in used("cheapest", CART, LINES + other)
    assert used("cheapest", "def cheapest(lines):\n    return lines.count(1)\n", LINES + "    count = 1\n") == ""


def test_one_attribute_is_enough_where_the_failing_test_makes_such_a_thing() -> None:
    tests = "def test_price():\n    line = Line('a')\n    assert cheapest([line]) == line\n"
    source = CART.replace("line.sku", "0")
    lines = LINES + "\n\nclass Box:\n    amount: int\n"
    files = (("shop.py", source.encode()), ("lines.py", lines.encode()), ("tests/test_shop.py", tests.encode()))
    given = matter("cheapest", source, tests=tests, sources=files)
    assert "class Line:" not in classes_in_use(given), "the failing test is another one"
    named = tests.replace("def test_price():", "class TestShop:\n  def test_price(self):").replace("\n    ", "\n      ")
    files = (*files[:2], ("tests/test_shop.py", named.encode()))
    assert "class Line:" in classes_in_use(matter("cheapest", source, tests=named, sources=files))


def test_a_class_that_is_called_is_told_under_its_own_name() -> None:
    source = SHOP.replace("total = count +", "total = Rates([]) and count +")
    assert classes_in_use(matter(source=source)) == (
        '# rates.py:9\nclass Table:\n    """All rates."""\n    self.rows = rows\n'
        "    def __init__(self, rows, *, sorted=False): ..."
    )


@pytest.mark.parametrize(
    "line",
    [
        "PASSWORDS = {'me': 'canary'}",
        "conf = {'password': 'canary'}",
        "a = dict(api_key='canary')",
        "def __init__(self): self.conf = [('password', 'canary')]",
        "def price(self, password='canary'): return 1",
        "def price(self): return ask(password='canary')",
        "link = 'https://me:canary@host'",
    ],
)
def test_what_may_be_a_secret_of_a_class_is_hidden(line: str) -> None:
    text = used("Cart.total", CART, f"class Line:\n    {line}\n")
    assert text.startswith("# lines.py:1\nclass Line:")
    assert "canary" not in text


def test_a_class_that_is_imported_is_told_however_many_files_there_are() -> None:
    others = tuple((f"a{n}.py", b"class X:\n    y = 1\n") for n in range(300))
    files = (("shop.py", CART.encode()), *others, ("lines.py", LINES.encode()))
    assert "class Line:" in classes_in_use(matter("Cart.total", CART, sources=files))


def test_classes_and_fields_are_bounded() -> None:
    many = "".join(f"class C{n}:\n" + "".join(f"    f{k} = {k}\n" for k in range(40)) for n in range(9))
    source = "def f(a):\n    return " + ", ".join(f"C{n}" for n in range(9)) + "\n"
    text = used("f", source, many)
    assert text.count("class C") == MOST_CLASSES
    assert text.count(f"… and {40 - MOST_FIELDS} more") == MOST_CLASSES


def test_without_a_function_or_a_file_that_can_be_read_there_is_nothing_to_tell() -> None:
    assert classes_in_use(matter(module_source=b"def (")) == ""
    assert used("Cart.total", CART, "class Line:\n  x = (\n") == ""


def test_the_class_of_a_real_function_is_found() -> None:
    source = inspect.getsource(_pytest.mark.structures)
    assert isinstance(ast.parse(source), ast.Module)
    text = classes_in_use(matter("get_empty_parameterset_mark", source, sources=(("shop.py", source.encode()),)))
    assert "class MarkDecorator:" in text
