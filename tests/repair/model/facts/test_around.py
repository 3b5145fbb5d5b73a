"""The enclosing function, and what a function uses of its module and of others."""

from __future__ import annotations

from fakes.matters import SHOP, matter

from repair.model.facts.around import enclosing_function, names_of_module


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


def test_constants_of_other_modules_are_told_with_their_files() -> None:
    source = (
        "import codes\nfrom codes import COUNTRIES as KNOWN\n\n\ndef f(code):\n    return KNOWN[code], codes.MOST\n"
    )
    other = b"COUNTRIES = {'de': 'Germany', 'fr': 'France'}\nMOST: int = 3\nAPI_TOKEN = 'canary'\nREST = 4\n"
    given = matter("f", source, sources=(("codes.py", other),))
    text = names_of_module(given)
    assert "COUNTRIES = {'de': 'Germany', 'fr': 'France'}  # codes.py" in text
    assert "MOST: int = 3  # codes.py" in text
    assert "REST" not in text


def test_a_secret_constant_of_another_module_is_hidden() -> None:
    source = "from codes import API_TOKEN\n\n\ndef f(code):\n    return API_TOKEN\n"
    text = names_of_module(matter("f", source, sources=(("codes.py", b"API_TOKEN = 'canary'\n"),)))
    assert "API_TOKEN = '[hidden]'" in text
    assert "canary" not in text


def test_a_constant_that_may_be_secret_is_hidden() -> None:
    source = SHOP.replace("total = count +", "total = len(API_KEY) + count +")
    text = names_of_module(matter(source=source))
    assert "API_KEY = '[hidden]'" in text
    assert "canary" not in text


def test_a_module_that_only_a_newer_python_reads_says_nothing() -> None:
    given = matter(module_source=b"def (")
    assert enclosing_function(given) == names_of_module(given) == ""
