"""The lines that tests ran, written where the user asks and nowhere else, and read by coverage's own tools."""

from __future__ import annotations

import sqlite3

import pytest
from coverage import CoverageData
from end_to_end.conftest import WITHOUT_PLUGINS

SHOP = "def total(prices):\n    if prices:\n        return sum(prices) + 1\n    return 0\n"
TESTS = """\
from shop import total


def test_total():
    assert total([1, 2]) == 3


def test_nothing():
    assert total([]) == 0
"""


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    (root / "shop.py").write_text(SHOP)
    (root / "test_shop.py").write_text(TESTS)
    return root


def contexts(file, source):
    data = CoverageData(basename=str(file))
    data.read()
    found = data.contexts_by_lineno(str(source))
    data.close()
    return {line: sorted(names) for line, names in found.items()}


@pytest.mark.parametrize("command", ["fix", "explain", "tests"])
def test_each_command_that_runs_the_suite_writes_the_lines_of_each_test(project, repair, command):
    files = sorted(path.name for path in project.iterdir())
    more = ("--mutants", "0") if command == "tests" else ()
    words = ("--coverage-file", "../lines.data", "--max-seconds", "60")
    answer = repair(command, *more, *words, "--json", cwd=project, env=WITHOUT_PLUGINS)
    assert answer.status in (0, 1), answer.messages
    assert contexts(project.parent / "lines.data", project / "shop.py") == {
        2: ["test_shop.py::test_nothing", "test_shop.py::test_total"],
        3: ["test_shop.py::test_total"],
        4: ["test_shop.py::test_nothing"],
    }
    assert sorted(path.name for path in project.iterdir() if path.name != ".repair") == files


def test_a_file_that_ran_with_another_text_is_left_out_and_said(project, repair):
    """A check runs the program before the change: its lines are not those of the working tree."""
    (project / "fix.diff").write_text(
        "--- a/shop.py\n+++ b/shop.py\n@@ -1,4 +1,4 @@\n def total(prices):\n     if prices:\n"
        "-        return sum(prices) + 1\n+        return sum(prices)\n     return 0\n"
    )
    (project / "shop.py").write_text(SHOP.replace(" + 1", ""))
    words = ("--coverage-file", "../lines.data", "--max-seconds", "60", "--json")
    answer = repair("check", "fix.diff", *words, cwd=project, env=WITHOUT_PLUGINS)
    said = [warning for warning in answer.result["warnings"] if "coverage data" in warning]
    assert said == ["shop.py is not in the coverage data: the tests ran another text of it than the working tree has"]
    assert contexts(project.parent / "lines.data", project / "shop.py") == {}
    assert contexts(project.parent / "lines.data", project / "test_shop.py")


def test_a_file_of_something_else_is_never_replaced(project, repair):
    answer = repair("fix", "--coverage-file", "test_shop.py", cwd=project, env=WITHOUT_PLUGINS)
    assert answer.status == 2
    assert "The file for coverage data is there already, and is something else" in answer.messages
    assert (project / "test_shop.py").read_text() == TESTS
    other = project.parent / "other.sqlite"
    sqlite3.connect(other).execute("create table mine (x)").connection.close()
    assert repair("tests", "--coverage-file", str(other), cwd=project, env=WITHOUT_PLUGINS).status == 2
