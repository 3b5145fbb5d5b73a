"""The benchmark of line maps measures what it says, and says what it could not measure."""

from __future__ import annotations

import re
import sys

import pytest

from analysis.errors import TargetError
from corpora.lab.benchmarks import line_map
from corpora.lab.benchmarks.setup import Setup
from sandbox.jail_protocol import NO_JAIL


def setup_of(tmp_path) -> Setup:
    return Setup(tmp_path, tmp_path, NO_JAIL, 1, 1, 2, lambda words: None)


def measured(tmp_path, library=line_map.LIBRARIES[0]):
    return line_map.bench_line_map("3.11", "line_map_ratio_311", library, setup_of(tmp_path))


def test_an_interpreter_that_is_missing_leaves_a_note(tmp_path, monkeypatch):
    monkeypatch.setattr(line_map, "interpreter", lambda version, named: None)
    found = measured(tmp_path)
    assert found.rows == ()
    assert found.notes == ("line_map_ratio_311 was not measured: there is no Python 3.11 here.",)


def test_an_interpreter_is_of_the_version_asked_for():
    ours = "{}.{}".format(*sys.version_info[:2])
    assert line_map.interpreter(ours) == sys.executable
    assert line_map.interpreter(ours, sys.executable) == sys.executable
    assert line_map.interpreter("2.1") is None
    assert line_map.interpreter("2.1", sys.executable) is None
    assert line_map.interpreter("2.1", "/no/such/python") is None


def write_suite(root, test="def test_loop():\n    assert sum(range(5)) == 10\n"):
    root.mkdir()
    (root / "test_one.py").write_text(test)
    return root


def test_a_row_with_the_size_of_the_map_beside(tmp_path, monkeypatch):
    root = write_suite(tmp_path / "demo")
    monkeypatch.setattr(line_map, "interpreter", lambda version, named: sys.executable)
    monkeypatch.setattr(line_map, "environment", lambda requirements, cache, python: python)
    monkeypatch.setattr(line_map, "_tree", lambda setup, package: root)
    library = line_map.Library(line_map.LIBRARIES[0].package, ("test_one.py",))
    found = measured(tmp_path / "out", library)
    (row,) = found.rows
    assert row.figure.name == "line_map_ratio_311"
    assert 0.2 < row.median < 20
    numbers = {name.removeprefix("line_map_ratio_311_"): value for name, value in found.numbers}
    assert (numbers["tests_boltons"], numbers["pairs_boltons"]) == (1, 1)
    assert found.notes == ()
    write_suite(tmp_path / "empty", "")
    monkeypatch.setattr(line_map, "_tree", lambda setup, package: tmp_path / "empty")
    with pytest.raises(TargetError, match="ran no test"):
        measured(tmp_path / "out", library)


def test_at_least_four_libraries_are_pinned():
    assert len({library.package.name for library in line_map.LIBRARIES}) >= 4
    assert all(re.fullmatch(r"[0-9a-f]{64}", library.package.sha256) for library in line_map.LIBRARIES)
