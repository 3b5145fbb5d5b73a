"""What the working tree changed, asked of a real repository."""

import os
import shutil
import subprocess

import pytest

from analysis.errors import UsageError
from repair.records.change import Change
from repair.store.git import change_since, is_ancestor

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(root, *arguments):
    own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, "-C", str(root), *arguments], check=True, capture_output=True)


@pytest.fixture
def repo(tmp_path):
    """A repository with one commit."""
    root = tmp_path / "repo"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "kept.py").write_text("x = 1\n")
    (root / "pkg" / "shop.py").write_text("def price():\n    return 1\n")
    (root / "top.py").write_text("y = 1\n")
    (root / ".gitignore").write_text("*.log\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    return root


def test_modified_added_deleted_and_untracked_files_are_seen(repo):
    (repo / "pkg" / "shop.py").write_text("def price():\n    return 2\n")
    (repo / "top.py").unlink()
    (repo / "staged.py").write_text("a = 1\n")
    git(repo, "add", "staged.py")
    (repo / "strange näme.py").write_text("b = 1\n")
    (repo / "noise.log").write_text("ignored")
    change = change_since(repo, "HEAD")
    assert dict(change.before) == {"pkg/shop.py": b"def price():\n    return 1\n", "top.py": b"y = 1\n"}
    assert dict(change.after) == {
        "pkg/shop.py": b"def price():\n    return 2\n",
        "staged.py": b"a = 1\n",
        "strange näme.py": b"b = 1\n",
    }


def test_a_renamed_file_is_one_that_went_and_one_that_came(repo):
    git(repo, "mv", "top.py", "bottom.py")
    change = change_since(repo, "HEAD")
    assert [path for path, _ in change.before] == ["top.py"]
    assert [path for path, _ in change.after] == ["bottom.py"]


def test_an_earlier_revision_by_any_name(repo):
    git(repo, "tag", "v1")
    (repo / "top.py").write_text("y = 2\n")
    git(repo, "commit", "-q", "-a", "-m", "two")
    for name in ("v1", "HEAD~1", "main~1"):
        assert dict(change_since(repo, name).after) == {"top.py": b"y = 2\n"}


def test_a_root_below_the_repository_sees_its_own_part_under_its_own_names(repo):
    (repo / "pkg" / "shop.py").write_text("def price():\n    return 2\n")
    (repo / "pkg" / "new.py").write_text("z = 1\n")
    (repo / "top.py").write_text("y = 2\n")
    change = change_since(repo / "pkg", "HEAD")
    assert [path for path, _ in change.before] == ["shop.py"]
    assert [path for path, _ in change.after] == ["new.py", "shop.py"]


@pytest.mark.parametrize("revision", ["nowhere", "", "--help", "-h", "HEAD:top.py", "HEAD^{tree}", "a b"])
def test_an_unknown_revision_is_an_error_that_names_it(repo, revision):
    (repo / "top.py").write_text("y = 2\n")
    with pytest.raises(UsageError, match="no revision"):
        change_since(repo, revision)


def test_a_folder_without_repository_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(UsageError, match="not a git repository"):
        change_since(tmp_path, "HEAD")


def test_a_missing_git_says_so(repo, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match="git is not installed"):
        change_since(repo, "HEAD")


def test_nothing_differs(repo):
    assert change_since(repo, "HEAD") == Change((), ())


def test_a_file_that_was_only_touched_does_not_differ(repo):
    (repo / "top.py").write_text("y = 1\n")
    assert change_since(repo, "HEAD") == Change((), ())


def test_a_mode_alone_is_not_judged_and_not_called_nothing(repo):
    (repo / "top.py").chmod(0o755)
    with pytest.raises(UsageError, match=r"the content of no file.*top\.py"):
        change_since(repo, "HEAD")


def test_caches_and_environments_that_nobody_ignores_are_no_change(repo):
    for folder, name in (("__pycache__", "a.pyc"), (".pytest_cache", "README.md"), ("env/lib", "b.py")):
        (repo / folder).mkdir(parents=True)
        (repo / folder / name).write_text("x")
    (repo / "env" / "pyvenv.cfg").write_text("home = /usr\n")
    (repo / "top.py").write_text("y = 2\n")
    assert [path for path, _ in change_since(repo, "HEAD").after] == ["top.py"]


def test_line_ends_that_the_checkout_makes_are_no_change(repo):
    (repo / ".gitattributes").write_text("*.py text eol=crlf\n")
    git(repo, "add", ".gitattributes")
    git(repo, "commit", "-q", "-m", "two")
    (repo / "top.py").write_bytes(b"y = 2\r\n")
    change = change_since(repo, "HEAD")
    assert (change.before, change.after) == ((("top.py", b"y = 1\r\n"),), (("top.py", b"y = 2\r\n"),))


def test_links_are_left_out(repo):
    (repo / "link.py").symlink_to("/etc/hostname")
    (repo / "top.py").write_text("y = 2\n")
    assert [path for path, _ in change_since(repo, "HEAD").after] == ["top.py"]


def test_pathological_names_stay_names(repo):
    (repo / "*.py").write_text("a = 1\n")
    (repo / ":top.py").write_text("b = 1\n")
    assert [path for path, _ in change_since(repo, "HEAD").after] == ["*.py", ":top.py"]


def test_what_git_itself_says_comes_first(repo, monkeypatch):
    for name, value in {
        "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }.items():
        monkeypatch.setenv(name, value)
    if subprocess.run(["git", "-C", str(repo), "rev-parse", "HEAD"], capture_output=True, check=False).returncode == 0:
        pytest.skip("this git does not ask whose a repository is")
    with pytest.raises(UsageError, match="'HEAD' here: detected dubious ownership"):
        change_since(repo, "HEAD")


def test_only_what_the_last_commit_comes_after_is_an_ancestor(repo):
    git(repo, "checkout", "-q", "-b", "strange")
    git(repo, "commit", "-q", "--allow-empty", "-m", "theirs")
    git(repo, "checkout", "-q", "main")
    git(repo, "commit", "-q", "--allow-empty", "-m", "two")
    assert [is_ancestor(repo, name) for name in ("HEAD", "HEAD~1", "main", "strange")] == [True, True, True, False]
