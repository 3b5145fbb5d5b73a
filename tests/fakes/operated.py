"""What an operator makes of an example, as whole programs."""

from __future__ import annotations

import ast

from analysis.facts import Constraint
from analysis.functions import functions_of
from analysis.trials import Trial
from transforms.enumerate.sites import ground
from transforms.ingredients.within_reach import ingredients_of
from transforms.operators.operator import Example, Neighbourhood, Operator
from transforms.patch.apply import render
from transforms.tree.candidate import Rejected
from transforms.tree.code_text import as_nodes
from transforms.tree.fragments import Fragments
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope, open_scope


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
