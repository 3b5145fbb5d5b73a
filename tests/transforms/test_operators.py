"""Each operator's own examples: the edit is among those it gives, and every edit compiles."""

from __future__ import annotations

import pkgutil
import warnings

import pytest
from fakes.operated import results, same

from transforms import operators
from transforms.mutants.operator_sets import LOOSENING, MUTATING
from transforms.operators import catalog
from transforms.operators.catalog import MENDING, OPERATORS
from transforms.operators.operator import Example, Operator, clip_change

CASES = [pytest.param(o, e, id=f"{o.name}-{i}") for o in OPERATORS for i, e in enumerate(o.examples)]


@pytest.mark.parametrize(("operator", "example"), CASES)
def test_example(operator: Operator, example: Example) -> None:
    found = results(operator, example)
    if not example.after:
        assert found == []
        return
    programs = {}
    for text, detail in found:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<edit>", "exec")
        programs[same(text)] = detail
    assert same(example.after) in programs, "\n".join(sorted(detail for _, detail in found)[:40])
    assert all(detail for _, detail in found)


def test_names_are_unique() -> None:
    names = [o.name for o in OPERATORS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda o: o.name)
def test_every_operator_has_three_examples_and_something_that_it_leaves_alone(operator: Operator) -> None:
    made = [example for example in operator.examples if example.after]
    assert len({example.before + example.after for example in made}) >= 3
    assert len(made) < len(operator.examples)


def test_roles_are_stated() -> None:
    assert all(o.mends or o.mutates or o.loosens for o in OPERATORS)
    assert {"delete_statement", "negate_condition", "return_replaced", "exception_replaced"} <= {
        o.name for o in MUTATING
    }
    assert len([o for o in MUTATING if o.family == "mutmut"]) == 15
    assert "return_replaced" not in {o.name for o in MENDING}


def test_what_seeds_faults_and_what_loosens_is_all_there() -> None:
    assert [o.name for o in MUTATING] == [o.name for o in OPERATORS if o.mutates]
    assert [o.name for o in LOOSENING] == [o.name for o in OPERATORS if o.loosens]


def test_every_family_file_is_listed() -> None:
    found = {name for _, name, _ in pkgutil.iter_modules(operators.__path__)} - {
        "operator",
        "parts",
        "catalog",
        "priors",
    }
    listed = {name for name in found if getattr(catalog, name, None) is not None}
    assert listed == found
    assert all(set(getattr(catalog, name).OPERATORS) <= set(OPERATORS) for name in found)


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("a < b", "a <= b", ("a < b", "a <= b")),
        (f"f({'x' * 50}, one)", f"f({'x' * 50}, two)", (f"…{'x' * 11}, one)", f"…{'x' * 11}, two)")),
        ("x" * 50, "y", ("x" * 39 + "…", "y")),
        ("x" * 50, "x" * 51, ("…" + "x" * 13, "…" + "x" * 14)),
    ],
)
def test_a_change_is_cut_where_it_differs(before, after, shown):
    assert clip_change(before, after) == shown


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda o: o.name)
def test_no_sign_stands_twice(operator: Operator) -> None:
    found = results(operator, Example("def f(rows, n):\n    return rows[-1], rows[-n], -len(rows)\n"))
    assert [text for text, _ in found if "--" in text.replace(" ", "")] == []


def test_rare_signs_are_put_in_only_where_the_function_has_them() -> None:
    """As ``not total & previous`` in a function of Roman numerals, which passed all of its tests."""
    combine = next(o for o in OPERATORS if o.name == "combine")
    plain = Example("def f(total: int | None, previous):\n    return total  # no ** and no &\n")
    made = [text.partition("return")[2] for text, _ in results(combine, plain)]
    assert not [text for text in made if any(sign in text.partition("#")[0] for sign in ("&", "|", "^", "**"))]
    used = Example("def f(total, previous):\n    previous &= 3\n    return total\n")
    assert any("total & previous" in text for text, _ in results(combine, used))


def test_an_index_that_is_a_number_is_moved_and_not_calculated_with() -> None:
    """``names[1 - 1]`` came before ``names[0]`` on the screen."""
    bounds = next(o for o in OPERATORS if o.name == "slice_bounds")
    plain = [
        text.partition("return ")[2].strip() for text, _ in results(bounds, Example("def f(a, i):\n    return a[1]\n"))
    ]
    assert {"a[0]", "a[2]"} <= {*plain}
    assert not [text for text in plain if " - " in text or " + " in text]
    named = [
        text.partition("return ")[2].strip() for text, _ in results(bounds, Example("def f(a, i):\n    return a[i]\n"))
    ]
    assert {"a[i - 1]", "a[i + 1]"} <= {*named}
