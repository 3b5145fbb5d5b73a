"""The benchmark of line maps measures what it says, and says what it could not measure."""

from __future__ import annotations

import re
import sys

import pytest

from analysis.errors import TargetError
from corpora.benchmarks import line_map
from corpora.benchmarks.setup import Setup
from sandbox.walls import NO_JAIL


def setup_of(tmp_path, words) -> Setup:
    return Setup(tmp_path, tmp_path, NO_JAIL, 1, 1, 2, words.append)


def test_an_interpreter_that_is_missing_leaves_a_note(tmp_path, monkeypatch):
    monkeypatch.setattr(line_map, "interpreter", lambda version: None)
    measured = line_map.bench_line_map(setup_of(tmp_path, []))
    assert measured.rows == ()
    assert [note.split()[0] for note in measured.notes] == ["line_map_ratio_311", "line_map_ratio_312"]


def test_our_own_interpreter_is_found():
    assert line_map.interpreter("{}.{}".format(*sys.version_info[:2])) == sys.executable
    assert line_map.interpreter("2.1") is None


def write_suite(root, test="def test_loop():\n    assert sum(range(5)) == 10\n"):
    root.mkdir()
    (root / "test_one.py").write_text(test)
    return root


def test_one_row_for_each_interpreter_with_the_rival_beside(tmp_path, monkeypatch):
    root, words = write_suite(tmp_path / "demo"), []
    monkeypatch.setattr(line_map, "FIGURES", line_map.FIGURES[:1])
    monkeypatch.setattr(line_map, "interpreter", lambda version: sys.executable)
    monkeypatch.setattr(line_map, "environment", lambda requirements, cache, python: python)
    monkeypatch.setattr(line_map, "_tree", lambda setup, package: root)
    library = line_map.Library(line_map.LIBRARIES[0].package, ("test_one.py",))
    measured = line_map.bench_line_map(setup_of(tmp_path / "out", words), [library])
    (row,) = measured.rows
    assert row.figure.name == "line_map_ratio_311"
    assert 0.2 < row.median < 20
    assert [name for name, _ in measured.numbers] == ["line_map_ratio_311_coverage_boltons"]
    assert len(words) == 1
    write_suite(tmp_path / "empty", "")
    monkeypatch.setattr(line_map, "_tree", lambda setup, package: tmp_path / "empty")
    with pytest.raises(TargetError, match="ran no test"):
        line_map.bench_line_map(setup_of(tmp_path / "out", words), [library])


def test_at_least_four_libraries_are_pinned():
    assert len({library.package.name for library in line_map.LIBRARIES}) >= 4
    assert all(re.fullmatch(r"[0-9a-f]{64}", library.package.sha256) for library in line_map.LIBRARIES)
