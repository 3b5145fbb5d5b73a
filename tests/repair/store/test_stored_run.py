"""One run as found on disk."""

import pytest
from fakes.runs import run_at

from analysis.errors import UsageError
from repair.store.store import open_store


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


def test_a_torn_last_line_is_passed_over_and_another_is_not(store):
    run = run_at(store, 1)
    events = run.path / "events.jsonl"
    events.write_bytes(b'{"type":"a"}\n{"type":"b"}\n{"ty')
    assert [e["type"] for e in run.events()] == ["a", "b"]
    events.write_bytes(b'{"type":"a"}\n{"ty\n{"type":"b"}\n')
    with pytest.raises(UsageError, match="line 2"):
        run.events()


def test_stored_content_that_changed_is_refused(store):
    run = run_at(store, 1)
    digest = run.save_content(b"x")
    (run.path / "files" / digest).write_bytes(b"y")
    with pytest.raises(UsageError, match="not what its name says"):
        run.content(digest)
    with pytest.raises(UsageError, match="no longer holds"):
        run.content("0" * 64)
