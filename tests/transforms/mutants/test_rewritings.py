"""Rewritings do the same as the function, each in its own way."""

from __future__ import annotations

import ast

import pytest

from analysis.functions import functions_of
from repair.records.functions import edit_scope
from transforms.mutants.rewritings import rewrite_function, rewritings
from transforms.tree.scope import EditScope

SOURCE = '''\
def pick(values, most=3):
    """Doc."""
    total = 0
    count = 1
    for value in values:
        if value < most:
            total += value
        else:
            total = total - 1
    if not values:
        return None
    return [kept * count for kept in values if kept != total]
'''


def scope(source: str) -> EditScope:
    text = source.encode()
    return edit_scope((("m.py", text),), functions_of("m.py", text)[0].function)


def texts(source: str) -> list[tuple[str, str]]:
    opened = scope(source)
    found = [(kind, rewrite_function(opened, node, kind)) for kind, node in rewritings(opened.node)]
    return [(kind, text.decode()) for kind, text in found if text is not None]


def test_every_kind_is_made_and_does_the_same():
    found = texts(SOURCE)
    assert {kind for kind, _ in found} == {
        "inverted if",
        "renamed local",
        "augmented assignment",
        "temporary variable",
        "turned comparison",
        "else after return",
        "loop for comprehension",
        "reordered statements",
    }
    calls = [((),), ([1, 2, 5],), ([4, 4], 9), ([0],)]
    expected = [run(SOURCE, call) for call in calls]
    for kind, text in found:
        assert ast.dump(ast.parse(text)) != ast.dump(ast.parse(SOURCE)), kind
        assert [run(text, call) for call in calls] == expected, kind


def run(source: str, call: tuple[object, ...]) -> object:
    names: dict[str, object] = {}
    exec(source, names)
    function = names["pick"]
    assert callable(function)
    return function(*call)


@pytest.mark.parametrize(
    "body",
    [
        "return [row for row in rows] + row",  # the loop's variable would be another one's
        "a = first()\n    b = second()\n    return a, b",  # calls may depend on their order
        "return first() < second()",
    ],
)
def test_what_could_do_something_else_is_left(body: str):
    kinds = {kind for kind, _ in texts(f"def f(rows, row=None):\n    {body}\n")}
    assert not kinds & {"loop for comprehension", "reordered statements", "turned comparison"}


def test_names_that_are_not_local_stay():
    source = "def f(a):\n    global seen\n    seen = a\n    return dict(seen=seen)\n"
    assert "renamed local" not in {kind for kind, _ in texts(source)}
    renamed = dict(texts("def f(a):\n    x = a.x\n    return g(x=x)\n"))["renamed local"]
    assert renamed == "def f(a):\n    x_here = a.x\n    return g(x=x_here)\n"
