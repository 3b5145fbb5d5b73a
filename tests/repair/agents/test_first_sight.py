"""What a session has changed, and what was there before it."""

import json
import os
import shutil
import subprocess
import time

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
