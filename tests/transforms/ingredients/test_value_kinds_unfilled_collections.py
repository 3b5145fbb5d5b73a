"""Collections that are asked and never filled, by the text of the function alone."""

import ast

import pytest

from transforms.ingredients.value_kinds import find_unfilled

ASKED = "    if a in seen or b not in seen:\n        return a\n"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f"    seen = set()\n{ASKED}", (("seen", "add"),)),
        (f"    seen: set[int] = set()\n{ASKED}", (("seen", "add"),)),
        (f"    seen = []\n    met = list()\n{ASKED}    return b in met\n", (("seen", "append"), ("met", "append"))),
        ("    seen = set()\n\n    def g(a):\n        return a in seen\n    return g(a)\n", (("seen", "add"),)),
        (f"    seen = set()\n{ASKED}    seen.add(a)\n", ()),
        (f"    seen = set()\n{ASKED}    g(seen)\n", ()),
        (f"    seen = set()\n{ASKED}    seen = set()\n", ()),
        (f"    seen = set()\n{ASKED}    return lambda seen: a\n", ()),
        (f"    seen = set(b)\n{ASKED}", ()),
        (f"    seen = {{}}\n{ASKED}", ()),
        (f"    seen: set[int]\n{ASKED}", ()),
        (f"    seen = a = set()\n{ASKED}", ()),
        (ASKED, ()),
        ("    seen = set()\n", ()),
    ],
)
def test_what_is_made_empty_and_only_asked(body, found):
    assert find_unfilled(ast.parse(f"def f(a, b):\n{body}")) == found
