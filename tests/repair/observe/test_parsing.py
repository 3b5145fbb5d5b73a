"""Hostile text kills a child, not us."""

from __future__ import annotations

import pytest

from repair.observe.parsing import ReadyParser, survives_parsing


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


def test_a_child_that_nobody_asks_ends_with_its_context():
    with ReadyParser() as survives:
        child = survives._child
        assert child.poll() is None
    assert child.poll() is not None


def test_a_child_answers_once():
    with ReadyParser() as survives:
        assert survives(["x + 1"])
        with pytest.raises(AssertionError, match="answers once"):
            survives(["x + 1"])
