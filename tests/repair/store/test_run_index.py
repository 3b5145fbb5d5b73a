"""The list of runs in SQLite."""

import contextlib
import datetime
import sqlite3
import subprocess
import sys

import pytest
from fakes.runs import run_at

from repair.records.result import FailureView, Result, Status, SuspectView
from repair.store.error_reports import ErrorReport
from repair.store.run_index import LAYOUT, IndexEntry, RunRow
from repair.store.run_query import read_query
from repair.store.store import open_store


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


def test_a_run_is_listed_under_its_patch_else_its_first_suspect_else_what_raised(store):
    failures = (FailureView("t.py::test_it", "logic", function="test_it"),)
    suspects = (SuspectView("shop.py", "price", 1, 1.0),)
    record = store.new_run(datetime.datetime(2025, 1, 2, 12), "a", lambda: 0.0)
    record.save_result(Result(Status.UNREPAIRED, failures=failures, suspects=suspects))
    assert [row.function for row in store.list_runs().runs] == ["price"]
    record.save_result(Result(Status.UNREPAIRED, failures=failures))
    assert [row.function for row in store.list_runs().runs] == ["test_it"]
    record.close()


@pytest.mark.parametrize("content", [b"this is no database, and long enough to be one" * 100, b"\0" * 5000])
def test_a_corrupt_index_is_moved_aside_and_rebuilt(store, content):
    run_at(store, 1)
    index = store.directory / "index.sqlite"
    index.write_bytes(content)
    assert [row.status for row in store.list_runs().runs] == ["certified"]
    assert (store.directory / "index.sqlite.corrupt-1").read_bytes() == content


def test_an_index_of_another_version_is_rebuilt(store):
    run_at(store, 1)
    with sqlite3.connect(store.directory / "index.sqlite") as database:
        database.execute("PRAGMA user_version = 99")
        database.execute("ALTER TABLE runs ADD COLUMN news")
    database.close()
    assert len(store.list_runs().runs) == 1


def test_two_processes_write_the_index_at_once(store):
    code = (
        "import datetime, sys\nfrom repair.store.store import open_store\n"
        "from repair.records.result import Result, Status\n"
        "store = open_store(sys.argv[1])\n"
        "for n in range(15):\n"
        "    record = store.new_run(datetime.datetime(2025, 1, 2, 12, 0, n), sys.argv[2], lambda: 0.0)\n"
        "    record.save_result(Result(Status.UNREPAIRED)); record.close()\n"
    )
    root = str(store.root)
    writers = [subprocess.Popen([sys.executable, "-c", code, root, suffix]) for suffix in "ab"]
    assert [writer.wait(30) for writer in writers] == [0, 0]
    assert len(store.index.rows()) == 30


def test_an_index_of_the_first_version_is_migrated_and_kept(store):
    run_at(store, 1)
    path = store.directory / "index.sqlite"
    path.unlink()
    with contextlib.closing(sqlite3.connect(path)) as first, first:
        for statement in LAYOUT.tables:
            first.execute(statement)
        first.execute("INSERT INTO runs VALUES ('20240101-000000-aa', 's', 'certified', 'f', 't', 1.0, 0)")
        first.execute("PRAGMA user_version = 1")
    assert [row.id for row in store.index.rows()] == ["20240101-000000-aa"]
    with contextlib.closing(sqlite3.connect(path)) as now:
        assert now.execute("PRAGMA user_version").fetchone() == (2,)
        assert now.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert [(row.id[14], row.status) for row in store.list_runs().runs] == [("1", "certified")]
    assert not list(store.directory.glob("*corrupt*"))


def test_an_index_of_a_newer_version_is_left_alone_and_the_folders_are_read(store):
    run_at(store, 1)
    path = store.directory / "index.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE news (x)")
        database.execute("PRAGMA user_version = 99")
    assert [row.status for row in store.list_runs(read_query("class = logic")).runs] == ["certified"]
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (99,)


def test_no_file_that_was_put_aside_is_ever_replaced(store):
    contents = [bytes([number]) * 5000 for number in range(1, 6)]
    for number, content in enumerate(contents, 1):
        run_at(store, number)
        (store.directory / "index.sqlite").write_bytes(content)
        assert store.list_runs().count == number
    kept = [path.read_bytes() for path in sorted(store.directory.glob("index.sqlite.corrupt-*"))]
    assert kept == contents


def test_damage_that_shows_late_is_put_aside_and_the_list_is_right(store):
    for second in range(40):
        run_at(store, second)
    path = store.directory / "index.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * (size - 8192))
    assert store.list_runs(read_query("status = certified")).count == 40
    assert (store.directory / "index.sqlite.corrupt-1").exists()
    assert store.list_runs().count == 40


def test_a_list_of_the_newest_reads_no_other_run(store):
    for second in range(30):
        run_at(store, second)
    assert store.list_runs().count == 30
    for run in store.stored_runs()[5:]:
        (run.path / "result.json").write_text("{")  # in place: the folder looks as before
    found = store.list_runs(most=5)
    assert (len(found.runs), found.count) == (5, 30)
    assert {row.status for row in found.runs} == {"certified"}
    opened, watched = [], [True]
    sys.addaudithook(lambda name, told: opened.append(str(told[0])) if name == "open" and watched else None)
    store.list_runs(most=5)
    watched.clear()
    read = {path.split("/runs/")[1].split("/")[0] for path in opened if "/runs/" in path}
    assert read == {row.id for row in found.runs}


def test_a_run_that_changes_is_listed_anew(store):
    run = run_at(store, 1)
    assert store.list_runs().runs[0].applied == 0
    run.save_json("applied.json", {})
    assert store.list_runs(most=1).runs[0].applied == 1


def test_a_planted_row_makes_no_run_ours(store):
    run = run_at(store, 1)
    foreign = store.directory / "runs" / "20260101-120000-xx"
    foreign.mkdir()
    store.list_runs()
    stamp = foreign.stat().st_mtime_ns
    report = ErrorReport(foreign.name, 1, *["t"] * 7, 0, *["x"] * 4, 0, 0, "certified")
    row = RunRow(foreign.name, "s", "certified", "f", "t", 1.0, 0)
    store.index.update((IndexEntry(row, stamp, 1, (report,)),))
    assert [row.status for row in store.list_runs(most=5).runs] == ["foreign", "certified"]
    assert [row.status for row in store.list_runs(read_query("status = certified")).runs] == ["foreign", "certified"]
    assert {report.run for report in store.list_reports().reports} == {run.id}


def test_names_that_no_text_can_hold_are_listed(store):
    name = "t.py::\udcff"
    run_at(store, 1, result=Result(Status.UNREPAIRED, failures=(FailureView(name, "logic", message=name),)))
    assert store.list_runs(read_query("message ~ 't.py'")).runs[0].test == "t.py::?"
