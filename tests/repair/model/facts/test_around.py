"""The class, the enclosing function, and what a function uses of its module."""

from __future__ import annotations

from fakes.matters import SHOP, matter

from repair.model.facts.around import enclosing_function, its_class, names_of_module


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


def test_a_nested_function_comes_with_the_one_around_it() -> None:
    assert enclosing_function(matter("make.inner")) == (
        "def make(name):\n    … # inner, shown above\n    y = inner(1)\n    return y"
    )
    assert enclosing_function(matter()) == ""


def test_only_imports_and_constants_that_the_function_uses_are_told() -> None:
    assert names_of_module(matter()) == (
        "import math\nfrom rates import rate_of\nLIMIT = 10\n"
        "also bound there: API_KEY, OTHER, Base, make, report, path, sep, Rates"
    )
    assert names_of_module(matter("f", "import math\n\n\ndef f():\n    return math.pi\n")) == "import math"


def test_no_more_than_some_names_of_a_module_are_told() -> None:
    many = "".join(f"N{n} = {n}\n" for n in range(99)) + "__all__ = []\n\n\ndef f():\n    return 1\n"
    assert names_of_module(matter("f", many)) == f"also bound there: {', '.join(f'N{n}' for n in range(24))}"


def test_a_constant_that_may_be_secret_is_hidden() -> None:
    source = SHOP.replace("total = count +", "total = len(API_KEY) + count +")
    text = names_of_module(matter(source=source))
    assert "API_KEY = '[hidden]'" in text
    assert "canary" not in text


def test_a_module_that_only_a_newer_python_reads_says_nothing() -> None:
    given = matter(module_source=b"def (")
    assert its_class(given) == enclosing_function(given) == names_of_module(given) == ""
