"""The list of runs in SQLite."""

import sqlite3
import subprocess
import sys

import pytest
from fakes.runs import run_at

from repair.store.store import open_store


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


@pytest.mark.parametrize("content", [b"this is no database, and long enough to be one" * 100, b"\0" * 5000])
def test_a_corrupt_index_is_moved_aside_and_rebuilt(store, content):
    run_at(store, 1)
    index = store.directory / "index.sqlite"
    index.write_bytes(content)
    assert [row.status for row in store.list_runs()] == ["certified"]
    assert (store.directory / "index.sqlite.corrupt-1").read_bytes() == content


def test_an_index_of_another_version_is_rebuilt(store):
    run_at(store, 1)
    with sqlite3.connect(store.directory / "index.sqlite") as database:
        database.execute("PRAGMA user_version = 99")
        database.execute("ALTER TABLE runs ADD COLUMN news")
    database.close()
    assert len(store.list_runs()) == 1


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
