"""One run while it is written."""

import json
import os

import pytest
from fakes.runs import NOON, RESULT

from repair.records.events import event
from repair.store.store import open_store


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


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
