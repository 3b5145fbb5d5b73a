"""Names that cannot have a value at a place are no ingredients there."""

import textwrap

import pytest

from analysis.functions import find_function, functions_of
from transforms.enumerate.sites import ground
from transforms.ingredients.within_reach import ingredients_of
from transforms.operators.operator import Neighbourhood
from transforms.tree.scope import EditScope, open_scope


def variables(source: str, code: str) -> set[str]:
    """The variables that are known at the statement that starts like ``code``."""
    text = textwrap.dedent(source).encode()
    span = find_function(functions_of("m.py", text), "f")
    assert span is not None
    scope = open_scope(text, span)
    assert isinstance(scope, EditScope)
    sites = ground(scope, Neighbourhood(ingredients_of(text, span.function))).sites
    site = next(s for s in sites if s.role == "statement" and s.code.strip().startswith(code))
    return set(site.words.variables)


@pytest.mark.parametrize(
    ("body", "code", "known"),
    [
        ("x = a\ny = x\nreturn y", "x = a", {"a", "x"}),
        ("x = a\ny = x\nreturn y", "return", {"a", "x", "y"}),
        ("for n in a:\n    g(n)\n    m = n", "g(n)", {"a", "n", "m"}),
        ("g(a)\nfor n in a:\n    m = n", "g(a)", {"a"}),
        ("if a:\n    x = 1\nelse:\n    y = 2\nreturn a", "y = 2", {"a", "x", "y"}),
        ("g(a)\nwith a as b, a as (c, d):\n    pass", "g(a)", {"a"}),
        ("g(a)\ntry:\n    pass\nexcept E as e:\n    h(e)", "g(a)", {"a"}),
        ("g(a)\ntry:\n    pass\nexcept E as e:\n    h(e)", "h(e)", {"a", "e"}),
        ("g(a)\na += 1\n[x, *y] = a\nreturn x, y", "g(a)", {"a"}),
        ("g(a)\nif (n := a):\n    h(n)", "g(a)", {"a"}),
        ("global t\ng(a)\nt = 1", "g(a)", {"a", "t"}),
        ("def inner():\n    return late\nlate = a\nreturn inner", "return late", {"a", "inner", "late"}),
    ],
)
def test_known_variables(body: str, code: str, known: set[str]) -> None:
    source = "def f(a):\n" + textwrap.indent(body, "    ") + "\n"
    assert variables(source, code) == known
