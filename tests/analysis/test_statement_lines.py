"""Statements as spans of lines, held against coverage.py's own idea of them."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import coverage
import pytest

from analysis.statement_lines import Share, executed_share, statement_spans


def spans(text):
    source = textwrap.dedent(text)
    function = ast.parse(source).body[0]
    return statement_spans(function, source.split("\n"))


def test_a_statement_is_its_own_lines_without_its_blocks():
    found = spans(
        '''\
        def f(xs):
            """Says
            what."""
            if (xs and
                    len(xs) > 1):
                return sum(
                    xs
                )
            try:
                pass
            finally:
                done()
        '''
    )
    assert found == ((4, 5), (6, 8), (9, 9), (10, 10), (12, 12))


@pytest.mark.parametrize(
    "text",
    [
        'def f():\n    """Nothing."""\n',
        "def f():\n    ...\n",
        "def f():\n    raise NotImplementedError\n",
        "def f():\n    raise NotImplementedError('later')\n",
        "@overload\ndef f(x: int) -> int: ...\n",
        "@typing.overload\ndef f(x):\n    return x\n",
        "def f():  # pragma: no cover\n    return 1\n",
        "@cached  # pragma: no cover\ndef f():\n    return 1\n",
    ],
)
def test_what_only_stands_for_others_has_nothing_to_run(text):
    assert spans(text) == ()


def test_what_is_decided_or_excluded_is_left_out():
    found = spans(
        """\
        def f(x):
            global y
            z: int
            if TYPE_CHECKING:
                import a
            if x:  # pragma: no cover
                return 1
            while True:
                if False:
                    return 2
                break
            return 3  # pragma: no cover
        """
    )
    assert found == ((11, 11),)


def test_any_line_of_a_statement_will_do():
    assert executed_share(((1, 1), (2, 4), (5, 5)), {3, 5}) == Share(2, 3)
    assert executed_share((), {1}).value is None
    assert Share(1, 2) + Share(2, 2) == Share(3, 4)
    assert (Share(1, 2) + Share(2, 2)).value == 0.75


@pytest.mark.parametrize("path", ["repair/cli.py", "analysis/functions.py", "sandbox/process.py"])
def test_statements_are_those_of_coverage_py(path):
    """Held against the reference on real code; it names each by its first line."""
    file = Path(__file__).parents[2] / path
    measured = coverage.Coverage(data_file=None, config_file=False)
    _, statements, *_ = measured.analysis2(str(file))
    source = file.read_text("utf-8")
    lines, tree = source.split("\n"), ast.parse(source)
    found = [statement_spans(n, lines) for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    ours = {first for each in found for first, _ in each}
    inside = {line for each in found if each for line in range(each[0][0], each[-1][1] + 1)}
    # There ``except`` clauses are statements, and so are conditions that are decided before.
    others = {n.lineno for n in ast.walk(tree) if isinstance(n, ast.ExceptHandler)}
    others |= {number for number, line in enumerate(lines, 1) if line.strip() == "while True:"}
    assert len(ours) > 50
    assert (ours - set(statements), set(statements) & inside - ours - others) == (set(), set())
