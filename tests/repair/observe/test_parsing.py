"""Hostile text kills a child, not us."""

from __future__ import annotations

import pytest

from repair.observe.parsing import survives_parsing


def test_ordinary_text_survives_whether_it_is_python_or_not():
    source = "def f(x):\n    if x is None:\n        return ''\n    return x.lower()\n"
    assert survives_parsing([source, "x + 1", "not python at all {", "", "    return x", "\ud800"])


@pytest.mark.parametrize(
    "text",
    [
        "not " * 15000 + "x",
        "(" * 3000 + "x" + ")" * 3000,
        "a" + "+a" * 1200,
        "lambda:" * 8000 + "x",
        "x if y else " * 800 + "z",
    ],
    ids=["not", "brackets", "sum", "lambda", "conditional"],
)
def test_hostile_text_does_not(text):
    assert not survives_parsing(["x + 1", text])
