"""What kind of value names and expressions hold, as far as the text tells."""

import ast
import textwrap
from pathlib import Path

import pytest

from analysis.facts import FunctionId
from transforms.ingredients.value_kinds import kind_of_text, kinds_in
from transforms.ingredients.within_reach import ingredients_of

KNOWN = (("n", "number"), ("s", "text"), ("xs", "list"))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("n = len(a)", {"n": "number"}),
        ("s = f'{a}'; t = s.strip()", {"s": "text", "t": "text"}),
        ("xs = []\nxs.append(a)", {"xs": "list"}),
        ("for i in range(a): print(i * b)", {"i": "number", "b": "number"}),
        ("if a.x == 3: return a.x", {"a.x": "number"}),
        ("a = 1\na = 'x'", {}),  # signs that disagree
        ("n = a - 1\nm = n", {"a": "number", "n": "number", "m": "number"}),
        ("d = {}\nd.items()", {"d": "table"}),
        ("return a", {}),
    ],
)
def test_names(body: str, expected: dict[str, str]) -> None:
    text = "def f(a, b):\n" + textwrap.indent(body, "    ")
    assert kinds_in(ast.parse(text).body[0]) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("n % 10", "number"),
        ("'%s' % n", "text"),
        ("s[1:]", "text"),
        ("xs + a", "list"),
        ("xs[0]", ""),
        ("[n] * 3", "list"),
        ("not s", "truth"),
        ("a.split(',')", "list"),
        ("g(n)", ""),
        ("a if b else 1", "number"),
        ("(", ""),
        ("", ""),
    ],
)
def test_expressions(text: str, kind: str) -> None:
    assert kind_of_text(text, KNOWN) == kind


def test_real_function() -> None:
    source = Path(textwrap.__file__).read_bytes()
    tree = ast.parse(source)
    line = next(n.lineno for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "_wrap_chunks")
    kinds = dict(ingredients_of(source, FunctionId("textwrap.py", "TextWrapper._wrap_chunks", line)).kinds)
    assert (kinds["lines"], kinds["cur_len"], kinds["cur_line"]) == ("list", "number", "list")
