"""How often functions were changed, asked of real repositories, and of hostile ones."""

import subprocess
from pathlib import Path

import pytest

from analysis.change_history import History
from analysis.errors import UsageError
from analysis.functions import functions_of
from repair.store.git_history import MOST_OF_A_BLOB, committed_texts, histories, latest_commits

ROOT = Path(__file__).parents[3]


def git(folder, *words):
    subprocess.run(
        ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.invalid", *words],
        check=True,
        capture_output=True,
    )


def commit(folder, text, subject, name="shop.py"):
    (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", subject)


@pytest.fixture
def shop(tmp_path):
    git(tmp_path, "init", "--quiet")
    commit(tmp_path, "def one():\n    return 1\n\n\ndef two():\n    return 2\n", "Begin")
    commit(tmp_path, "def one():\n    return 1\n\n\ndef two():\n    return 22\n", "Fix two")
    commit(tmp_path, "import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 222\n", "Import")
    return tmp_path


def owned(folder, *paths):
    return {
        path: [
            (span.function.qualname, span.function.first_line, span.end_line)
            for span in functions_of(path, (folder / path).read_bytes())
        ]
        for path in paths
    }


def test_changes_and_fixes_are_counted_by_function(shop):
    found = histories(shop, owned(shop, "shop.py"))
    assert found == {("shop.py", "one"): History(1, 0), ("shop.py", "two"): History(3, 1)}


def test_what_is_not_committed_does_not_confuse_the_lines(shop):
    text = (shop / "shop.py").read_text("utf-8")
    (shop / "shop.py").write_text("# new\n# lines\n" + text, encoding="utf-8")
    assert histories(shop, owned(shop, "shop.py")) == {
        ("shop.py", "one"): History(1, 0),
        ("shop.py", "two"): History(3, 1),
    }


def test_a_folder_below_the_top_of_the_repository_is_a_project_too(shop):
    (shop / "inner").mkdir()
    commit(shop, "def three():\n    return 3\n", "Three", "inner/three.py")
    assert histories(shop / "inner", owned(shop / "inner", "three.py")) == {("three.py", "three"): History(1, 0)}


def test_without_a_repository_nobody_knows(tmp_path):
    assert latest_commits(tmp_path, ["a.py"]) is None
    assert histories(tmp_path, {}) == {}


def test_nothing_that_the_repository_names_is_run(shop):
    ran = shop / "ran"
    (shop / ".gitattributes").write_text("*.py diff=evil filter=evil\n", encoding="utf-8")
    for key in ("diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "core.fsmonitor", "diff.external"):
        git(shop, "config", key, f"touch {ran}; cat")
    assert histories(shop, owned(shop, "shop.py")) is not None
    assert not ran.exists()


def test_counts_of_this_project_are_those_of_git_itself():
    """git follows a function's lines by itself, one function at a time."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone, so it has no history")
    if subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD~5"], capture_output=True, check=False).returncode:
        pytest.skip("this clone has no history to speak of")
    path = "analysis/api.py"
    functions = owned(ROOT, path)
    found = histories(ROOT, functions)
    own = [(name, first, last) for name, first, last in functions[path] if last - first > 3][:4]
    assert own
    for name, first, last in own:
        words = ["git", "-C", ROOT, "log", "--first-parent", "-m", "-s", "--format=%H", f"-L{first},{last}:{path}"]
        listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
        assert abs(found[path, name].changes - len(listed)) <= 1, name


def texts(folder):
    return [each for part in committed_texts(folder, 100, 30.0) for each in part]


def test_changed_files_come_with_both_texts_the_newest_first(shop):
    found = texts(shop)
    assert [each.subject for each in found] == ["Import", "Fix two"]
    assert found[1].before == b"def one():\n    return 1\n\n\ndef two():\n    return 2\n"
    assert found[1].after == found[0].before
    assert found[0].alone
    assert found[0].day > 20_000


def test_what_is_huge_odd_or_missing_is_passed_over(shop):
    commit(shop, "x = 1\n" * MOST_OF_A_BLOB, "Huge", "huge.py")
    commit(shop, "x = 2\n" * MOST_OF_A_BLOB, "Huge again", "huge.py")
    commit(shop, "a = 1\n", "Odd", "o\tdd\n.py")
    commit(shop, "a = 2\n", "Odd\x01x\x02y", "o\tdd\n.py")
    (shop / "shop.py").write_bytes(b"\xff\xfe\0\0 def\n")
    git(shop, "commit", "--quiet", "--all", "--message", "Bytes \udcff")
    commit(shop, "def one():\n    return 3\n", "Back")
    (shop / "lost.py").write_text("a = 1\n")
    commit(shop, "def one():\n    return 4\n", "Lost")
    (shop / "lost.py").write_text("a = 2\n")
    commit(shop, "def one():\n    return 5\n", "Lost too")
    blob = subprocess.run(
        ["git", "-C", shop, "rev-parse", "HEAD:lost.py"], capture_output=True, check=True, text=True
    ).stdout.strip()
    (shop / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    found = texts(shop)
    assert [each.path for each in found] == ["shop.py"] * 6
    assert any(b"\0" in each.after for each in found)


def test_a_hostile_setting_runs_nothing(shop):
    (shop / "ran.sh").write_text("#!/bin/sh\ntouch ran\ncat\n")
    (shop / "ran.sh").chmod(0o755)
    (shop / ".gitattributes").write_text("*.py filter=evil diff=evil\n")
    for name in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv", "diff.external", "core.pager"):
        git(shop, "config", name, "./ran.sh")
    assert len(texts(shop)) == 2
    assert not (shop / "ran").exists()


def test_a_folder_without_commits_is_told(tmp_path):
    git(tmp_path, "init", "--quiet")
    with pytest.raises(UsageError, match="HEAD"):
        texts(tmp_path)


def test_a_subject_names_no_file(shop):
    """Its author may write what looks like a line of git's list, behind an end of a line that git does not know."""
    commit(shop, "def one():\n    return 3\n", f"Odd\x0b:100644 100644 {'a' * 40} {'b' * 40} M\tx.py")
    assert [each.subject.partition("\x0b")[0] for each in texts(shop)][:1] == ["Odd"]
    assert texts(shop)[0].alone
