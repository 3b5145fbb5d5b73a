"""How often functions were changed, asked of real repositories, and of hostile ones."""

import subprocess
from pathlib import Path

import pytest

from analysis.change_history import History
from analysis.functions import functions_of
from repair.store.git_history import histories, latest_commits

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
