"""Types seen in a call, what follows from them in the function, and the edits that come last for it."""

from __future__ import annotations

import ast
import textwrap

import pytest

from analysis.functions import functions_of
from transforms.enumerate.proposals import proposals_and_pauses
from transforms.enumerate.typed import Types, kinds_of, types_in
from transforms.ingredients.within_reach import ingredients_of
from transforms.operators.operator import Neighbourhood
from transforms.tree.candidate import Rejected
from transforms.tree.scope import open_scope


def seen(source: str, *args: object, **kwargs: object) -> dict[str, str]:
    return dict(types_in(ast.parse(textwrap.dedent(source)).body[0], args, kwargs))


def bound(source: str, *args: object, defined: tuple[str, ...] = ()) -> dict[str, str]:
    """The same for a method."""
    return dict(types_in(ast.parse(textwrap.dedent(source)).body[0], args, {}, skip=1, defined=defined))


def test_parameters_keep_the_types_of_the_call() -> None:
    assert seen("def f(a, b, *, c=1): return a", 1, "x", c=None) == {"a": "int", "b": "str", "c": "NoneType"}


@pytest.mark.parametrize("name", ["self", "cls", "this"])
def test_the_instance_is_left_out_whatever_its_name(name: str) -> None:
    assert bound(f"def f({name}, a): return a", 2.5) == {"a": "float"}


def test_further_keywords_are_no_names_of_the_function() -> None:
    assert seen("def f(a, *, b=1, **more): return max(a, more['max'])", 1, max=3, b="x") == {"a": "int", "b": "str"}


def test_what_the_module_defines_is_not_the_languages_own() -> None:
    source = "def f(self, a):\n    low = sorted(a)\n    for n in range(a):\n        pass\n"
    assert bound(source, "b") == {"a": "str", "low": "list", "n": "int"}
    assert bound(source, "b", defined=("sorted", "range")) == {"a": "str"}


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("k = xs[0] + str(len(xs))", True),
        ("k = [x for x in xs]", True),
        ("xs[:] = map(int, xs)", False),
        ("xs.append(1)", False),
        ("g(xs)", False),
        ("ys = xs", False),
    ],
)
def test_items_have_a_type_where_nobody_may_change_them(line: str, known: bool) -> None:
    found = seen(f"def f(xs):\n    {line}\n    for item in xs:\n        pass\n", ["1", "2"])
    assert found.get("item") == ("str" if known else None)


@pytest.mark.parametrize(
    "line",
    [
        "a = b",
        "a += 1",
        "for a in b: pass",
        "with b as a: pass",
        "del a",
        "(a := b)",
        "global a",
        "[a for a in b]",
        "g = lambda a: a",
        "def a(): pass",
        "def g(a): pass",
        "class a: pass",
        "import os as a",
        "import a.b",
        "from b import a",
        "match b:\n        case {**a}: pass",
    ],
)
def test_what_is_bound_anew_has_no_type(line: str) -> None:
    assert "a" not in seen(f"def f(a, b):\n    {line}\n    return a\n", 1, [])


def test_what_is_computed_in_one_place_has_one() -> None:
    found = seen("def f(a, xs):\n    n = len(xs)\n    m = n + a\n    for x in xs:\n        k = x * 2\n", 1, ["p", "q"])
    assert found == {"a": "int", "xs": "list", "n": "int", "m": "int", "x": "str", "k": "str"}


def test_what_is_computed_in_two_places_has_none() -> None:
    assert "n" not in seen("def f(a):\n    n = 1\n    if a:\n        n = 'x'\n", True)


def test_more_arguments_than_parameters_are_no_matter() -> None:
    assert seen("def f(a, *rest): return a", 1, 2, 3) == {"a": "int"}
    assert types_in(ast.parse("x = 1").body[0], (1,), {}) == ()


def test_kinds() -> None:
    assert dict(kinds_of((("a", "int"), ("b", "dict"), ("c", "NoneType")))) == {"a": "number", "b": "table"}


SOURCE = "def f(text, count):\n    size = len(text)\n    return size * count\n"


def texts(types: Types, source: str = SOURCE, *, are_all: bool = False) -> list[str]:
    span = functions_of("m.py", source.encode())[-1]
    scope = open_scope(source.encode(), span)
    assert not isinstance(scope, Rejected)
    near = Neighbourhood(ingredients_of(source.encode(), span.function))
    return [
        p.explanation
        for p in proposals_and_pauses(scope, near, types=types, types_are_all=are_all)
        if p is not None and "+" not in p.origin.operator
    ]


def test_impossible_edits_come_last_and_are_not_lost() -> None:
    blind, typed = texts(()), texts((("text", "str"), ("count", "int"), ("size", "int")))
    assert sorted(blind) == sorted(typed)
    wrong = "wraps `count` into `len(...)`"
    assert typed.index(wrong) > 0.7 * len(typed) > blind.index(wrong)
    fine = "wraps `count` into `abs(...)`"
    assert typed.index(fine) <= blind.index(fine)


def test_impossible_edits_are_left_out_where_all_types_are_known() -> None:
    types = (("text", "str"), ("count", "int"), ("size", "int"))
    last, left_out = texts(types), texts(types, are_all=True)
    assert last[: len(left_out)] == left_out
    assert "wraps `count` into `len(...)`" not in left_out
    assert "wraps `count` into `abs(...)`" in left_out


def test_nothing_is_put_off_where_a_star_import_hides_what_names_mean() -> None:
    source = f"from numbers import *\n{SOURCE}"
    assert texts((("count", "int"),), source) == texts((), source)
