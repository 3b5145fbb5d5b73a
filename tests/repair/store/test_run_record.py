"""One run while it is written."""

import hashlib
import json
import os

import pytest
from fakes.runs import NOON, RESULT

from analysis.errors import UsageError
from repair.records.events import event, phase
from repair.store.store import open_store


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


def test_a_run_is_written_and_read(store):
    ticks = iter([10.0, 10.5, 11.0])
    record = store.new_run(NOON, "ab", lambda: next(ticks))
    record.append(phase("baseline"))
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

    record.append(phase("first"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", half)
        record.append(phase("torn, since the disk was full in the middle of it"))
    record.append(phase("later"))  # behind the torn line nothing could be read
    assert [happened["name"] for happened in record.run.events()] == ["first"]


def test_events_are_on_disk_as_they_happen(store):
    record = store.new_run(NOON, "ab", lambda: 0.0)
    record.append(phase("search"))
    first, second = (record.run.path / "events.jsonl").read_text().splitlines()
    assert json.loads(first) == {"schema": "repair.events/1"}
    assert json.loads(second)["name"] == "search"
    record.close()


FOUND = {"file": "a.py", "function": "f", "origin": "search", "operator": "o", "label": "o", "position": 1}


def test_a_text_is_kept_once_by_its_digest(store):
    record = store.new_run(NOON, "ab", lambda: 0.0)
    for text in ("def f(): pass", "def f(): 1", "def f(): pass"):
        record.append(event("found", **FOUND, text=text))
    record.close()
    run = store.load_run()
    digests = [happened["sha256"] for happened in run.events()]
    assert digests[0] == digests[2] == hashlib.sha256(b"def f(): pass").hexdigest()
    assert len(list((run.path / "texts").iterdir())) == 2
    assert run.text(digests[1]) == "def f(): 1"
    assert not any("text" in happened for happened in run.events())


def test_what_is_not_kept_is_said(store, monkeypatch):
    monkeypatch.setattr("repair.store.stored_run.MOST_TEXT_BYTES", 10)
    record = store.new_run(NOON, "ab", lambda: 0.0)
    for text in ("1234567", "12345678", "123", "1234567"):
        record.append(event("found", **FOUND, text=text))
    record.close()
    told = store.load_run().events()
    assert ["sha256" in happened for happened in told] == [True, False, True, True]
    assert "no more than" in told[1]["unkept"]


@pytest.mark.parametrize("digest", ["../run.json", "", "0" * 64, "0" * 63])
def test_a_text_that_is_not_there_is_refused(store, digest):
    record = store.new_run(NOON, "ab", lambda: 0.0)
    with pytest.raises(UsageError, match="no longer holds that text"):
        record.run.text(digest)


def test_a_torn_text_is_not_shown(store):
    record = store.new_run(NOON, "ab", lambda: 0.0)
    record.append(event("found", **FOUND, text="def f(): pass"))
    (path,) = (record.run.path / "texts").iterdir()
    path.write_bytes(b"def f")
    with pytest.raises(UsageError, match="another one than its name says"):
        record.run.text(path.name)


def test_events_without_a_first_line_and_of_unknown_types_are_read(store):
    record = store.new_run(NOON, "ab", lambda: 0.0)
    record.close()
    lines = [{"type": "found"}, {"type": "of tomorrow", "schema": 1}, {"x": 1}]
    (record.run.path / "events.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [happened.get("type") for happened in record.run.events()] == ["found", "of tomorrow", None]
