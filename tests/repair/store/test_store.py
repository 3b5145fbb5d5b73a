import datetime
import json
import os
import shutil
import sqlite3
import subprocess
import sys

import pytest

from analysis.errors import UsageError
from repair.records.events import event
from repair.records.result import FailureView, PatchView, Result, Seconds, Status
from repair.store.store import open_store

NOON = datetime.datetime(2025, 1, 2, 12, 0, 0)
RESULT = Result(Status.CERTIFIED, failures=(FailureView("t.py::t", "logic", function="f"),), seconds=Seconds(total=1.5))


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


def run_at(store, second, suffix="aa", result=RESULT):
    record = store.new_run(NOON.replace(second=second), suffix, lambda: 0.0)
    if result:
        record.save_result(result)
    record.close()
    return record.run


def test_a_run_is_written_and_read(store):
    ticks = iter([10.0, 10.5, 11.0])
    record = store.new_run(NOON, "ab", lambda: next(ticks))
    record.append(event("phase", name="baseline"))
    record.append(event("finished", status="certified"))
    record.save_candidate("d1", "--- a/x\n\udcff", (("x", b"new"),))
    record.save_certificate({"a": 1})
    record.save_result(RESULT)
    record.close()
    run = store.load_run()
    assert run.id == "20250102-120000-ab"
    assert [(e["type"], e["at"]) for e in run.events()] == [("phase", 0.5), ("finished", 1.0)]
    assert run.result() == RESULT
    assert run.certificate() == {"a": 1}
    assert (run.path / "candidates" / "d1.diff").read_bytes() == b"--- a/x\n\xff"
    assert run.content("11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437") == b"new"


def test_a_torn_last_line_is_passed_over_and_another_is_not(store):
    run = run_at(store, 1)
    events = run.path / "events.jsonl"
    events.write_bytes(b'{"type":"a"}\n{"type":"b"}\n{"ty')
    assert [e["type"] for e in run.events()] == ["a", "b"]
    events.write_bytes(b'{"type":"a"}\n{"ty\n{"type":"b"}\n')
    with pytest.raises(UsageError, match="line 2"):
        run.events()


def test_runs_are_listed_newest_first(store):
    run_at(store, 1, result=None)
    run_at(store, 2)
    rows = store.list_runs()
    assert [(row.id[-5:], row.status, row.function) for row in rows] == [
        ("02-aa", "certified", "f"),
        ("01-aa", "interrupted", ""),
    ]
    assert rows[0].started == "2025-01-02 12:00:02"


def test_runs_are_found_by_id_prefix_and_latest(store):
    first, second = run_at(store, 1, "aa"), run_at(store, 1, "ab")
    assert store.load_run("latest") == second
    assert store.load_run(first.id) == first
    with pytest.raises(UsageError, match="may mean 2 runs"):
        store.load_run("20250102-120001-a")
    with pytest.raises(UsageError, match=r"No run '2024'.*newest is 20250102-120001-ab"):
        store.load_run("2024")


def test_a_run_that_was_not_asked_for_rightly_is_not_the_latest(store):
    first = run_at(store, 1)
    wrong = run_at(store, 2, result=Result(Status.USAGE, "r2"))
    assert store.load_run("latest") == first
    assert store.load_run(wrong.id) == wrong


def patched(status=Status.CERTIFIED, proposer="search"):
    return Result(status, patches=(PatchView(1, status, "m.py", "f", "", "", proposer=proposer),))


def test_the_latest_fix_is_the_newest_run_with_a_patch_of_its_own(store):
    with pytest.raises(UsageError, match="No run has a patch"):
        store.latest_fix()
    run_at(store, 1, result=patched())
    wanted = run_at(store, 2, result=patched(Status.PLAUSIBLE, "model"))
    run_at(store, 3, result=patched(proposer="foreign"))  # a change that was only judged
    run_at(store, 4, result=patched(Status.REJECTED))
    run_at(store, 5, result=Result(Status.DIAGNOSED))
    run_at(store, 6, result=None)
    (run_at(store, 7).path / "result.json").write_text("[]")
    assert store.latest_fix() == wanted


def test_where_no_other_run_is_there_the_latest_may_be_a_wrong_one(store):
    wrong = run_at(store, 1, result=Result(Status.USAGE, "r1"))
    assert store.load_run("latest") == wrong


@pytest.mark.parametrize("name", ["../../etc", "", "/", ".."])
def test_no_name_leads_out_of_the_store(store, name):
    run_at(store, 1)
    with pytest.raises(UsageError):
        store.load_run(name)


def test_an_exact_id_beats_a_longer_one(store):
    short = run_at(store, 1, "a")
    run_at(store, 1, "ab")
    assert store.load_run(short.id) == short


def test_deleted_runs_leave_the_list_and_found_ones_enter_it(store):
    run_at(store, 1)
    gone = run_at(store, 2)
    store.list_runs()
    shutil.rmtree(gone.path)
    run_at(store, 3)
    (store.directory / "index.sqlite").unlink()
    assert [row.id[13:15] for row in store.list_runs()] == ["03", "01"]


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


def test_a_damaged_result_is_listed_and_named(store):
    run = run_at(store, 1)
    (run.path / "result.json").write_text("{")
    (store.directory / "index.sqlite").unlink()
    assert [row.status for row in store.list_runs()] == ["damaged"]
    with pytest.raises(UsageError, match=r"damaged.*result\.json"):
        run.result()


def test_stored_content_that_changed_is_refused(store):
    run = run_at(store, 1)
    digest = run.save_content(b"x")
    (run.path / "files" / digest).write_bytes(b"y")
    with pytest.raises(UsageError, match="not what its name says"):
        run.content(digest)
    with pytest.raises(UsageError, match="no longer holds"):
        run.content("0" * 64)


def test_a_disk_that_refuses_an_event_ends_the_events_and_not_the_run(store, monkeypatch):
    record = store.new_run(NOON, "ab", lambda: 0.0)
    write = os.write

    def half(descriptor, content):
        if len(content) > 20:
            return write(descriptor, bytes(content)[:20])
        raise OSError(28, "No space left on device")

    record.append(event("phase", name="first"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", half)
        record.append(event("phase", name="torn, since the disk was full in the middle of it"))
    record.append(event("phase", name="later"))  # behind the torn line nothing could be read
    assert [happened["name"] for happened in record.run.events()] == ["first"]


def test_events_are_on_disk_as_they_happen(store):
    record = store.new_run(NOON, "ab", lambda: 0.0)
    record.append(event("phase", name="search"))
    assert json.loads((record.run.path / "events.jsonl").read_text())["name"] == "search"
    record.close()
