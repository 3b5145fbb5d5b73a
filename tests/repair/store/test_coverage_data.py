"""Data files of coverage.py: what is written its own tools read, and what a stranger wrote is refused or bounded."""

from __future__ import annotations

import contextlib
import io
import os
import sqlite3
import subprocess
import sys
import tracemalloc

import coverage
import pytest
from coverage import CoverageData

from analysis.facts import TestId
from analysis.lines import Lines
from repair.store import coverage_data
from repair.store.coverage_data import UnreadableData, is_coverage_data, read_coverage_data, write_line_map

PROGRAM = "def f(x):\n    if x:\n        return 1\n    return 2\n"
MAP = (
    (TestId("t.py::test_a[é|1]"), (("shop.py", Lines([2, 3])), ("t.py", Lines([4])))),
    (TestId("t.py::test_b"), (("shop.py", Lines([2, 4])),)),
)


@pytest.fixture
def made(tmp_path):
    """A real data file, as coverage writes it."""
    data = CoverageData(basename=str(tmp_path / "data"))
    for context, lines in (("a|run", [1, 3]), ("a|setup", [1]), ("", [9])):
        data.set_context(context)
        data.add_lines({"/p/shop.py": lines})
    data.write()
    data.close()
    return tmp_path / "data"


def spoil(path, *statements):
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        for each in statements:
            database.execute(each)


def test_what_is_written_is_read_by_coverage_and_by_us(tmp_path):
    (tmp_path / "shop.py").write_text(PROGRAM)
    write_line_map(tmp_path / "data", str(tmp_path), MAP)
    data = CoverageData(basename=str(tmp_path / "data"))
    data.read()
    assert not data.has_arcs()
    by_line = data.contexts_by_lineno(str(tmp_path / "shop.py"))
    assert {line: sorted(tests) for line, tests in by_line.items()} == {
        2: ["t.py::test_a[é|1]", "t.py::test_b"],
        3: ["t.py::test_a[é|1]"],
        4: ["t.py::test_b"],
    }
    data.close()
    found = read_coverage_data(tmp_path / "data")
    assert found.files[str(tmp_path / "shop.py")] == {"t.py::test_a[é|1]": {2, 3}, "t.py::test_b": {2, 4}}
    assert found.lines(str(tmp_path / "shop.py")) == {2, 3, 4}


def test_the_tools_of_coverage_work_on_it(tmp_path):
    """The command that makes pages, with contexts, on a real file of ours."""
    source = coverage_data.__file__
    write_line_map(tmp_path / "data", "/", ((TestId("t.py::test_read"), ((source, Lines(range(1, 60))),)),))
    command = [sys.executable, "-m", "coverage", "html", "--show-contexts", "--data-file=data", "-d", "pages"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert any("t.py::test_read" in page.read_text() for page in (tmp_path / "pages").glob("*.html"))
    reported = io.StringIO()
    measured = coverage.Coverage(data_file=str(tmp_path / "data"), config_file=False)
    measured.load()
    assert measured.report(file=reported) > 0


def test_what_was_there_is_replaced_as_a_whole(tmp_path):
    write_line_map(tmp_path / "data", str(tmp_path), MAP)
    write_line_map(tmp_path / "data", str(tmp_path), MAP[1:])
    assert read_coverage_data(tmp_path / "data").files == {str(tmp_path / "shop.py"): {"t.py::test_b": {2, 4}}}
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_contexts_are_read_apart_and_nothing_beside_the_file_is_touched(made):
    before = made.read_bytes()
    assert read_coverage_data(made).files == {"/p/shop.py": {"a|run": {1, 3}, "a|setup": {1}, "": {9}}}
    assert made.read_bytes() == before
    assert [path.name for path in made.parent.iterdir()] == ["data"]


def test_lines_of_recorded_branches_are_the_ends_of_arcs(tmp_path):
    data = CoverageData(basename=str(tmp_path / "data"))
    data.set_context("t.py::test_a")
    data.add_arcs({"/p/shop.py": [(-1, 2), (2, 4), (4, -1)]})
    data.write()
    data.close()
    assert read_coverage_data(tmp_path / "data").files == {"/p/shop.py": {"t.py::test_a": {2, 4}}}


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (("drop table tracer", "create view tracer as select 1 as file_id, 2 as tracer"), "it holds a view"),
        (("create trigger t after insert on file begin select 1; end",), "it holds a trigger"),
        (("create index i on file (length(path))",), "it holds a index"),
        (("create table more (x)",), "a table that is not coverage's: 'more'"),
        (("create virtual table more using fts5(x)",), "not coverage's"),
        (("drop table arc",), "it has no table 'arc'"),
        (("drop table meta", "create table meta (key text, value text as (key))"), "columns of its table 'meta'"),
        (("update coverage_schema set version = 6",), "not of version 7"),
        (("insert into coverage_schema values (7)",), "not of version 7"),
        (("update line_bits set numbits = 'text'",), "its lines are misshapen"),
        (("update line_bits set numbits = zeroblob(200000)",), "its lines are misshapen"),
        (("insert into arc values (1, 1, 3, 99999999)",), "its arcs are misshapen"),
        (("update file set path = x'00'",), "a name in it is misshapen"),
        (("update context set context = zeroblob(2000000) where id = 1",), "too big"),
    ],
)
def test_what_is_not_coverages_is_refused(made, statements, said):
    spoil(made, *statements)
    with pytest.raises(UnreadableData, match=said):
        read_coverage_data(made)
    assert not is_coverage_data(made)


def test_what_is_too_large_is_refused(made, monkeypatch):
    monkeypatch.setattr(coverage_data, "MOST_ROWS", 2)
    with pytest.raises(UnreadableData, match="more rows than the 2"):
        read_coverage_data(made)
    with pytest.raises(UnreadableData, match="MB are more than"):
        read_coverage_data(made, most_bytes=100)


def test_arcs_to_high_lines_are_joined_one_by_one(tmp_path):
    data = CoverageData(basename=str(tmp_path / "data"))
    data.add_arcs({"/p/shop.py": [(line, line + 1) for line in range(990_000, 990_300)]})
    data.write()
    data.close()
    tracemalloc.start()
    try:
        read_coverage_data(tmp_path / "data")
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()


def test_a_name_is_bounded(made):
    spoil(made, "update context set context = hex(zeroblob(2049)) where id = 1")
    with pytest.raises(UnreadableData, match="a name in it is misshapen"):
        read_coverage_data(made)


def test_arcs_to_high_lines_cannot_take_for_ever(made, monkeypatch):
    """Each arc by itself is sound; together they would write half a terabyte."""
    spoil(made, "delete from line_bits")
    with contextlib.closing(sqlite3.connect(made)) as database, database:
        database.executemany("insert into arc values (1, 1, ?, 999999)", ((line,) for line in range(1000)))
    assert read_coverage_data(made).files["/p/shop.py"]["a|run"] == {*range(1, 1000), 999_999}
    monkeypatch.setattr(coverage_data, "MOST_WORK", 50 << 20)
    with pytest.raises(UnreadableData, match="take too long to read"):
        read_coverage_data(made)


def test_only_a_plain_file_is_opened(tmp_path, made):
    (tmp_path / "link").symlink_to(made)
    with pytest.raises(UnreadableData):
        read_coverage_data(tmp_path / "link", follow=False)
    assert read_coverage_data(tmp_path / "link").files
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableData, match="no plain file"):
        read_coverage_data(tmp_path / "pipe")
    (tmp_path / "text").write_text("no data")
    with pytest.raises(UnreadableData, match="no database"):
        read_coverage_data(tmp_path / "text")
    assert not is_coverage_data(tmp_path / "text")
    assert is_coverage_data(tmp_path / "nothing")


def test_a_journal_beside_the_data_has_no_say(made):
    """SQLite deletes the file that such a journal names, where the data is opened in its place."""
    victim = made.parent / "victim"
    victim.write_text("mine")
    journal = made.with_name("data-journal")
    journal.write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + str(victim).encode())
    assert read_coverage_data(made).files
    assert victim.exists()
    assert journal.exists()
