"""Runs that an earlier version left in the project: spoken of once, taken over only where the user says so."""

import json
import subprocess

import pytest

from analysis.errors import UsageError
from repair.records.result import FileChange, PatchView, Result, Status
from repair.store.atomic import sha256
from repair.store.store import open_store
from repair.store.takeover import announce_earlier_runs, take_over

ID = "20250102-120000-aa"
OLD, NEW = b"x = 1\n", b"x = 2\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    root = tmp_path / "project"
    run = root / ".repair/runs" / ID
    (run / "files").mkdir(parents=True)
    (run / "candidates").mkdir()
    patch = PatchView(
        1, Status.CERTIFIED, "a.py", "f", "d", "d1", files=(FileChange("a.py", sha256(OLD), sha256(NEW)),)
    )
    (run / "result.json").write_text(json.dumps(Result(Status.CERTIFIED, ID, patches=(patch,)).to_json()))
    (run / "events.jsonl").write_text('{"type": "phase"}\n')
    (run / "files" / sha256(NEW)).write_bytes(NEW)
    (run / "candidates/d1.diff").write_text("d")
    (root / "a.py").write_bytes(OLD)
    return root


def test_they_are_spoken_of_once_and_not_read(project):
    store = open_store(project)
    assert "`repair runs --take-over`" in announce_earlier_runs(store)
    assert announce_earlier_runs(store) == ""
    assert store.list_runs().runs == ()


def test_half_done_applies_of_theirs_are_spoken_of(project):
    (project / ".repair/journal.json").write_text("{}")
    assert "was interrupted" in announce_earlier_runs(open_store(project))
    assert (project / "a.py").read_bytes() == OLD


def test_what_is_taken_over_is_the_users_own(project):
    store = open_store(project)
    assert take_over(store) == (ID,)
    run = store.latest_fix()
    assert (run.id, run.is_foreign, run.content(sha256(NEW))) == (ID, False, NEW)
    assert [event["type"] for event in run.events()] == ["phase"]
    assert take_over(store) == ()  # nothing twice


def test_what_git_tracks_came_with_the_repository(project):
    for words in (["init", "-q"], ["add", "-f", "."]):
        subprocess.run(["git", "-C", str(project), *words], check=True)
    with pytest.raises(UsageError, match="came with the repository"):
        take_over(open_store(project))
    assert open_store(project).list_runs().runs == ()


def test_links_and_strange_files_are_left_behind(project, tmp_path):
    run = project / ".repair/runs" / ID
    (tmp_path / "secret").write_text("s")
    (run / "files" / ("0" * 64)).symlink_to(tmp_path / "secret")
    (run / "files/evil.sh").write_text("x")
    (run / "candidates/x.diff").symlink_to(tmp_path / "secret")
    (run / "result.json").unlink()
    (run / "result.json").symlink_to(tmp_path / "secret")
    store = open_store(project)
    take_over(store)
    taken = store.load_run(ID)
    assert sorted(path.name for path in (taken.path / "files").iterdir()) == [sha256(NEW)]
    assert [path.name for path in (taken.path / "candidates").iterdir()] == ["d1.diff"]
    assert taken.result() is None


@pytest.mark.parametrize("what", ["nothing", "a link"])
def test_where_there_is_none_that_is_said(project, tmp_path, what):
    (project / ".repair").rename(tmp_path / "elsewhere")
    if what == "a link":
        (project / ".repair").symlink_to(tmp_path / "elsewhere")
    store = open_store(project)
    assert announce_earlier_runs(store) == ""
    with pytest.raises(UsageError, match="no runs to take over"):
        take_over(store)
