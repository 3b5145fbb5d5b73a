"""Each operator's own examples: the edit is among those it gives, and every edit compiles."""

from __future__ import annotations

import ast
import pkgutil
import warnings

import pytest

from analysis.facts import Constraint
from analysis.functions import functions_of
from analysis.trials import Trial
from transforms import operators
from transforms.apply import render
from transforms.candidate import Rejected
from transforms.fragments import Fragments
from transforms.ingredients import ingredients_of
from transforms.operators import catalog
from transforms.operators.catalog import MENDING, MUTATING, OPERATORS
from transforms.operators.operator import Example, Neighbourhood, Operator, clipped_change
from transforms.pieces import as_nodes
from transforms.proposal import Origin, Proposal, Replacement
from transforms.scope import EditScope, open_scope
from transforms.sites import ground

CASES = [pytest.param(o, e, id=f"{o.name}-{i}") for o in OPERATORS for i, e in enumerate(o.examples)]


def opened(source: str) -> EditScope:
    spans = functions_of("m.py", source.encode())
    span = next((s for s in spans if s.name == "f"), spans[-1])
    scope = open_scope(source.encode(), span)
    assert not isinstance(scope, Rejected)
    return scope


def results(operator: Operator, example: Example) -> list[tuple[str, str]]:
    """Every program that the operator makes of the example, with the sentence that describes it."""
    scope = opened(example.before)
    said = tuple(Constraint(kind, expr, detail, "m.py", line, "") for kind, expr, detail, line in example.said)
    near = Neighbourhood(ingredients_of(example.before.encode(), scope.function), said)
    found = []
    for site in ground(scope, near).sites:
        if isinstance(site.node, operator.on) and site.role in operator.roles:
            for edit in operator.edits(site):
                nodes = [(c.at, as_nodes(scope.node, c.at, c.pieces, Fragments())) for c in edit.changes]
                replacements = tuple(Replacement(at, new) for at, new in nodes if new is not None)
                if len(replacements) == len(nodes):
                    trial = render(scope, Proposal(scope.function, replacements, Origin("search", operator.name)))
                    if isinstance(trial, Trial):
                        whole = scope.source[: scope.start] + trial.text + scope.source[scope.end :]
                        found.append((whole.decode(), edit.detail))
    return found


def same(text: str) -> str:
    return ast.dump(ast.parse(text))


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


def test_names_are_unique_and_every_operator_has_examples() -> None:
    names = [o.name for o in OPERATORS]
    assert len(set(names)) == len(names)
    assert all(sum(1 for e in o.examples if e.after) >= 2 for o in OPERATORS)


def test_roles_are_stated() -> None:
    assert all(o.mends or o.mutates or o.loosens for o in OPERATORS)
    assert {"delete_statement", "negate_condition", "return_replaced", "exception_replaced"} <= {
        o.name for o in MUTATING
    }
    assert len([o for o in MUTATING if o.family == "mutmut"]) == 15
    assert "return_replaced" not in {o.name for o in MENDING}


def test_every_family_file_is_listed() -> None:
    found = {name for _, name, _ in pkgutil.iter_modules(operators.__path__)} - {"operator", "catalog", "priors"}
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
    assert clipped_change(before, after) == shown
