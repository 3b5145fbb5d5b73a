"""What a session has changed, and what was there before it."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from analysis.errors import UsageError
from repair.agents.first_sight import (
    DAYS_KEPT,
    FirstSight,
    change_of_session,
    count_turn,
    load_sight,
    save_sight,
    see,
)
from repair.front.changes import change_of, reader
from repair.records.change import Change
from repair.store.git import MOST_OF_A_FILE, differences_since
from transforms.patch.diff import as_bytes, unified_diff

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(root, *arguments):
    own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, "-C", str(root), *arguments], check=True, capture_output=True)


@pytest.fixture
def repo(tmp_path):
    """A repository with one commit, in which a person is at work."""
    root = tmp_path / "repo"
    root.mkdir()
    for name in ("mine.py", "agents.py", "gone.py", "both.py"):
        (root / name).write_text("x = 1\n")
    (root / "data.json").write_text("{}\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    (root / "mine.py").write_text("x = 'of the person'\n")
    (root / "both.py").write_text("x = 2\n")
    (root / "new.py").write_text("y = 1\n")
    (root / "gone.py").unlink()
    (root / "data.json").write_text('{"a": 1}\n')
    return root


def test_what_a_person_had_not_committed_is_not_the_agents_work(repo):
    assert change_of_session(repo, see(repo)).after == ()
    assert change_of_session(repo, see(repo)).before == ()


def test_what_changed_since_is_compared_with_what_the_session_found(repo):
    sight = see(repo)
    (repo / "agents.py").write_text("x = 3\n")
    (repo / "both.py").write_text("x = 4\n")
    (repo / "new.py").unlink()
    (repo / "gone.py").write_text("x = 5\n")
    change = change_of_session(repo, sight)
    assert dict(change.before) == {"agents.py": b"x = 1\n", "both.py": b"x = 2\n", "new.py": b"y = 1\n"}
    assert dict(change.after) == {"agents.py": b"x = 3\n", "both.py": b"x = 4\n", "gone.py": b"x = 5\n"}


def test_what_the_agent_committed_is_still_its_work(repo):
    sight = see(repo)
    (repo / "agents.py").write_text("x = 3\n")
    git(repo, "commit", "-q", "-am", "two")
    assert dict(change_of_session(repo, sight).after) == {"agents.py": b"x = 3\n"}


def test_a_file_that_the_agent_put_back_to_the_commit_is_a_change(repo):
    sight = see(repo)
    (repo / "both.py").write_text("x = 1\n")
    change = change_of_session(repo, sight)
    assert (dict(change.before), dict(change.after)) == ({"both.py": b"x = 2\n"}, {"both.py": b"x = 1\n"})


def test_another_file_that_was_changed_again_is_seen(repo):
    sight = see(repo)
    (repo / "data.json").write_text('{"a": 2}\n')
    assert dict(change_of_session(repo, sight).after) == {"data.json": b'{"a": 2}\n'}


def test_a_commit_that_is_gone_is_replaced_by_the_last_one(repo):
    sight = FirstSight("0" * 40, {}, {})
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "two")
    (repo / "agents.py").write_text("x = 3\n")
    assert dict(change_of_session(repo, sight).after) == {"agents.py": b"x = 3\n"}


def test_the_texts_of_data_are_not_kept(repo):
    (repo / "secret.env").write_text("KEY=canary\n")
    assert "canary" not in json.dumps(see(repo).to_json())


def test_a_sight_comes_back_as_it_was_saved(repo, tmp_path):
    sight = see(repo)
    save_sight(tmp_path / "hooks", "s/1", sight)
    assert load_sight(tmp_path / "hooks", "s/1") == sight
    assert load_sight(tmp_path / "hooks", "s2") is None
    count_turn(tmp_path / "hooks", "s/1", sight)
    assert load_sight(tmp_path / "hooks", "s/1").turns == 1


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b'{"commit": "a", "texts": {"a": 3}, "digests": {}, "turns": 0}']
)
def test_a_damaged_sight_is_none(tmp_path, content):
    save_sight(tmp_path, "s", FirstSight("a", {}, {}))
    next(tmp_path.glob("session-*")).write_bytes(content)
    assert load_sight(tmp_path, "s") is None


def test_sessions_that_are_long_over_are_forgotten(tmp_path):
    save_sight(tmp_path, "old", FirstSight("a", {}, {}))
    long_ago = time.time() - (DAYS_KEPT + 1) * 86_400
    os.utime(next(tmp_path.glob("session-*")), (long_ago, long_ago))
    save_sight(tmp_path, "new", FirstSight("a", {}, {}))
    assert load_sight(tmp_path, "old") is None
    assert load_sight(tmp_path, "new") is not None


def test_a_folder_without_git_has_no_first_sight(tmp_path):
    with pytest.raises(UsageError):
        see(tmp_path)


def diffs_of(change):
    old, new = dict(change.before), dict(change.after)
    return [unified_diff(path, old.get(path), new.get(path)) for path in sorted({*old, *new})]


def write(root, name, content):
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(content)


def replace_by_link(root, name, target):
    (root / name).unlink()
    (root / name).symlink_to(target)


TEXT = b"def f():\n    return 1\n"
STRANGE = {
    "crlf.py": b"x = 1\r\ny = 2\r\n",
    "cr.py": b"a = 1\rb = 2\r",
    "open.py": b"x = 1",
    "latin.py": b"# coding: latin-1\n# \xe9\n",
    "nul.py": b"x = 1\n\0\n",
    "empty.py": b"",
    "bytes.dat": bytes(range(256)) * 9,
    "old.py": TEXT * 5,
    "folder.py/x.py": TEXT,
    "end.py": TEXT,
    "heads.py": TEXT,
    "mode.py": TEXT,
}
"""Files as a session finds them."""

EDITS = {
    "another line of CRLF": (lambda root: write(root, "crlf.py", b"x = 1\r\ny = 3\r\n"), "crlf.py"),
    "CRLF becomes LF": (lambda root: write(root, "crlf.py", b"x = 1\ny = 2\n"), "crlf.py"),
    "a lone CR": (lambda root: write(root, "cr.py", b"a = 1\rb = 3\r"), "cr.py"),
    "no last newline": (lambda root: write(root, "open.py", b"x = 2"), "open.py"),
    "a last newline more": (lambda root: write(root, "open.py", b"x = 1\n"), "open.py"),
    "no UTF-8": (lambda root: write(root, "latin.py", b"# coding: latin-1\n# \xe8\n"), "latin.py"),
    "a null byte": (lambda root: write(root, "nul.py", b"x = 2\n\0\n"), "nul.py"),
    "binary": (lambda root: write(root, "bytes.dat", bytes(range(255, -1, -1)) * 9), "bytes.dat"),
    "empty before": (lambda root: write(root, "empty.py", b"x = 1\n"), "empty.py"),
    "empty afterwards": (lambda root: write(root, "end.py", b""), "end.py"),
    "appended": (lambda root: write(root, "end.py", TEXT + b"\n\ndef g():\n    return 2\n"), "end.py"),
    "cut off": (lambda root: write(root, "old.py", TEXT * 3), "old.py"),
    "deleted": (lambda root: (root / "end.py").unlink(), "end.py"),
    "renamed": (lambda root: (root / "old.py").rename(root / "new.py"), "old.py new.py"),
    "a file for a folder": (
        lambda root: (
            (root / "folder.py" / "x.py").unlink(),
            (root / "folder.py").rmdir(),
            write(root, "folder.py", b""),
        ),
        "folder.py/x.py folder.py",
    ),
    "a link for a file": (lambda root: replace_by_link(root, "end.py", "old.py"), "end.py"),
    "a file for a link": (lambda root: ((root / "link.py").unlink(), write(root, "link.py", TEXT)), "link.py"),
    "another target": (lambda root: replace_by_link(root, "link.py", "crlf.py"), "link.py"),
    "names with signs": (
        lambda root: [write(root, name, TEXT) for name in ("-a.py", 'q"t.py', "t\tb.py", "ü.py", ":(glob)x.py")],
        None,
    ),
    "a name in no encoding": (lambda root: write(root, os.fsdecode(b"\xff.py"), TEXT), None),
    "a head within": (lambda root: write(root, "heads.py", TEXT + b"--- a/b\n+++ b/c\n@@ -1 +1 @@\n"), "heads.py"),
    "another mode": (lambda root: (root / "mode.py").chmod(0o755), ""),
    "a link to the outside": (lambda root: (root / "out.py").symlink_to("/etc/passwd"), ""),
    "a pipe": (lambda root: os.mkfifo(root / "pipe.py"), ""),
    "a repository within": (lambda root: ((root / "sub").mkdir(), git(root / "sub", "init", "-q")), ""),
}


@pytest.fixture
def strange(tmp_path):
    root = tmp_path / "strange"
    root.mkdir()
    for name, content in STRANGE.items():
        write(root, name, content)
    (root / "link.py").symlink_to("old.py")
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "core.autocrlf", "false")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    return root


@pytest.mark.parametrize("name", EDITS)
def test_the_diff_of_a_session_is_read_as_what_it_changed(strange, name):
    """Whatever its files hold, and whatever became of them: a hook hands this diff to the judge."""
    sight = see(strange)
    edit, touched = EDITS[name]
    edit(strange)
    change = change_of_session(strange, sight)
    if touched is not None:
        assert {path for path, _ in (*change.before, *change.after)} == set(touched.split())
    diff = as_bytes("".join(diffs_of(change)))
    if not diff:
        assert (change.before, change.after) == ((), ())
        return
    assert change_of(diff, reader(strange)) == Change(change.before, change.after)


def test_a_file_that_cannot_be_read_is_no_deleted_one(strange, monkeypatch):
    sight = see(strange)
    write(strange, "end.py", b"x = 2\n")
    write(strange, "old.py", b"x = 2\n")
    read = Path.read_bytes

    def refuse(path):
        if path.name == "old.py":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert dict(change_of_session(strange, sight).after) == {"end.py": b"x = 2\n"}
    assert dict(change_of_session(strange, sight).before) == {"end.py": TEXT}
    assert "old.py" in differences_since(strange, "HEAD").others


def test_a_very_large_file_is_named_and_not_read(strange):
    with (strange / "huge.bin").open("wb") as file:
        file.truncate(MOST_OF_A_FILE + 1)
    assert differences_since(strange, "HEAD") == Change((), (), ("huge.bin",))
    assert change_of_session(strange, see(strange)).after == ()


def test_a_text_of_many_lines_is_compared_in_time(strange):
    """An agent that rewrites a file of data must not cost its hook the time in which it judges."""
    old, new = (b"".join(b"%d\n" % (n * step % 10007) for n in range(60_000)) for step in (7919, 7907))
    write(strange, "data.txt", old)
    git(strange, "add", ".")
    git(strange, "commit", "-q", "-m", "two")
    sight = see(strange)
    write(strange, "data.txt", new)
    change = change_of_session(strange, sight)
    began = time.process_time()
    diff = as_bytes("".join(diffs_of(change)))
    assert time.process_time() - began < 3
    assert change_of(diff, reader(strange)) == Change(change.before, change.after)
