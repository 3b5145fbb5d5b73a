"""The statements of a function among those of its file."""

from __future__ import annotations

import ast
import textwrap

import pytest

from analysis.statement_lines import FileStatements, Share, executed_share, statement_spans

EVERY_LINE = FileStatements(tuple((line, line) for line in range(1, 30)))


def spans(text, file=EVERY_LINE):
    return statement_spans(ast.parse(textwrap.dedent(text)).body[0], file)


@pytest.mark.parametrize(
    "text",
    [
        'def f():\n    """Nothing."""\n',
        "def f():\n    ...\n",
        "def f():\n    raise NotImplementedError\n",
        "def f():\n    raise NotImplementedError('later')\n",
        "@overload\ndef f(x: int) -> int: ...\n",
        "@typing.overload\ndef f(x):\n    return x\n",
    ],
)
def test_what_only_stands_for_others_has_nothing_to_run(text):
    assert spans(text) == ()


def test_statements_of_the_body_are_those_of_its_lines():
    file = FileStatements(((1, 1), (2, 3), (4, 6), (8, 8)))
    assert spans("@cached\ndef f(\n        x):\n    return (\n        x\n    )\n", file) == ((4, 6),)
    assert spans("def f(x): return x\n", file) == ((1, 1),)
    assert spans("def f(x):\n    return x\n", FileStatements()) == ()


def test_any_line_of_a_statement_will_do():
    assert executed_share(((1, 1), (2, 4), (5, 5)), {3, 5}) == Share(2, 3)
    assert executed_share((), {1}).value is None
    assert Share(1, 2) + Share(2, 2) == Share(3, 4)
    assert (Share(1, 2) + Share(2, 2)).value == 0.75
