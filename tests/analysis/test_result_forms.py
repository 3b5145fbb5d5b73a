"""Forms of expressions, in which names do not count."""

from __future__ import annotations

import ast

from analysis.result_forms import forms_of


def forms(text: str) -> list[list[str]]:
    return [list(forms_of(node)) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.expr)]


def test_names_do_not_count():
    first, second = forms("sum(a * b for a in xs) + 1")[0], forms("sum(c * d for c in ys) + 1")[0]
    assert first == second != []


def test_what_stands_behind_a_star_has_no_form_of_its_own():
    """Alone it is no expression: nothing could be parsed of it."""
    assert [] in forms("row(*[['a'] + list(range(3)), ['b'] + list(range(101, 104))])")
