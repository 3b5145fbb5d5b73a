"""Output of linters and type checkers, read; and what of it is new."""

import pytest

from analysis.checkers import Remark, new_remarks, remarks_in, type_checker

RUFF = "b.py:3:12: F821 Undefined name `other`\nb.py:9:1: invalid-syntax: Expected an expression\n"
MYPY = """\
src/b.py:3: error: Name "other" is not defined  [name-defined]
src/b.py:3: note: did you mean "mother"?
src/b.py:7:5: error: Incompatible return value type (got "int", expected "str")  [return-value]
src/c.py:1: error: Something else  [misc]
other/src/b.py.py:1: error: Not this file  [misc]
"""
PYRIGHT = """\
/srv/copy/src/b.py
  /srv/copy/src/b.py:3:12 - error: "other" is not defined (reportUndefinedVariable)
  /srv/copy/src/b.py:4:12 - warning: Import "x" could not be resolved
1 error, 1 warning, 0 informations
"""


@pytest.mark.parametrize(
    ("output", "path", "lines", "first"),
    [
        (RUFF, "b.py", [3, 9], "F821 Undefined name `other`"),
        (MYPY, "src/b.py", [3, 7], 'Name "other" is not defined  [name-defined]'),
        (PYRIGHT, "src/b.py", [3], '"other" is not defined (reportUndefinedVariable)'),
        ("All checks passed!\n", "b.py", [], ""),
        ("", "b.py", [], ""),
        ("Success: no issues found in 1 source file\n", "b.py", [], ""),
    ],
)
def test_errors_of_the_file_are_read(output: str, path: str, lines: list[int], first: str) -> None:
    found = remarks_in(output, path)
    assert [each.line for each in found] == lines
    assert not lines or found[0].message == first


def test_what_was_said_before_is_not_new_wherever_it_stands_now() -> None:
    before = (Remark(3, "F821 Undefined name `_`"),)
    after = (Remark(5, "F821 Undefined name `_`"), Remark(9, "F821 Undefined name `_`"), Remark(9, "F821 other"))
    assert new_remarks(before, after) == (Remark(9, "F821 other"),)
    assert new_remarks(after, before) == ()


@pytest.mark.parametrize(
    ("settings", "checker"),
    [
        ({}, ""),
        ({"mypy.ini": b""}, "mypy"),
        ({".mypy.ini": b"[mypy]\n"}, "mypy"),
        ({"setup.cfg": b"[mypy]\nstrict = True\n"}, "mypy"),
        ({"setup.cfg": b"[metadata]\nname = mypy\n"}, ""),
        ({"setup.cfg": b"no section\n"}, ""),
        ({"setup.cfg": b"[metadata]\nname = caf\xe9\n"}, ""),
        ({"pyproject.toml": b"[tool.mypy]\nstrict = true\n"}, "mypy"),
        ({"pyproject.toml": b"[[tool.mypy.overrides]]\nmodule = 'a'\n"}, "mypy"),
        ({"pyproject.toml": b"[tool.pyright]\n"}, "pyright"),
        ({"pyproject.toml": b"[tool.ruff]\n"}, ""),
        ({"pyproject.toml": b"tool = 3\n"}, ""),
        ({"pyproject.toml": b"no toml ["}, ""),
        ({"pyrightconfig.json": b"{}"}, "pyright"),
        ({"pyrightconfig.json": b"{}", "mypy.ini": b""}, "mypy"),
    ],
)
def test_a_project_names_its_type_checker(settings: dict[str, bytes], checker: str) -> None:
    assert type_checker(settings) == checker
