"""Questions to git run nothing that a repository names. Each trick works on plain git, in the same repository."""

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from analysis.errors import RepairError, UsageError
from repair.store import git as ours
from repair.store.git import change_since, earlier_versions, is_ancestor, is_known
from repair.store.git_history import committed_texts, latest_commits

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
OWN = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
TEXT = b"x = 1\n"


def git(root, *words, check=True, input=b""):
    return subprocess.run(
        ["git", *OWN, "-c", "protocol.file.allow=always", "-C", str(root), *words],
        check=check,
        capture_output=True,
        input=input,
        timeout=20,
    )


@pytest.fixture
def evil(tmp_path):
    """A program that leaves a canary, and the canary."""
    canary, program = tmp_path / "canary", tmp_path / "evil.sh"
    program.write_text(f"#!/bin/sh\n: > {canary}\n[ $# = 0 ] && exec cat\n")  # a filter without a word of its own
    program.chmod(0o755)
    return program, canary


@pytest.fixture
def repo(tmp_path):
    root = tmp_path / "repo"
    root.mkdir()
    (root / "a.py").write_bytes(TEXT)
    (root / ".gitattributes").write_text("*.py filter=evil diff=evil\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    return root


def changed(root):
    """The file differs, so that filters and differences are asked for."""
    (root / "a.py").write_text("x = 2\n")


def touched(root):
    """The file is as it was, but git has to look into it."""
    os.utime(root / "a.py", (1, 1))


def fsmonitor(root, program):
    git(root, "config", "core.fsmonitor", program)


def hook(root, program):
    shutil.copy(program, root / ".git/hooks/post-index-change")
    touched(root)


def hooks_path(root, program):
    (root / "hooks").mkdir()
    shutil.copy(program, root / "hooks/post-index-change")
    git(root, "config", "core.hooksPath", "hooks")
    touched(root)


def clean(root, program):
    git(root, "config", "filter.evil.clean", program)
    changed(root)


def smudge(root, program):
    git(root, "config", "filter.evil.smudge", program)


def process(root, program):
    git(root, "config", "filter.evil.process", program)
    changed(root)


def required(root, program):
    git(root, "config", "filter.evil.required", "true")
    clean(root, program)


def included(root, program):
    (root / "more").write_text(f'[filter "evil"]\n\tclean = {program}\n')
    git(root, "config", "include.path", "../more")
    changed(root)


def of_the_work_tree(root, program):
    git(root, "config", "extensions.worktreeConfig", "true")
    git(root, "config", "--worktree", "filter.evil.clean", program)
    changed(root)


def external_diff(root, program):
    git(root, "config", "diff.external", program)
    changed(root)


def textconv(root, program):
    git(root, "config", "diff.evil.textconv", program)
    changed(root)


def promised(root, program):
    """The content is missing, and the repository says by which command it comes."""
    git(root, "config", "extensions.partialClone", "origin")
    git(root, "config", "core.repositoryFormatVersion", "1")
    git(root, "config", "remote.origin.url", f"file://{root}")
    git(root, "config", "remote.origin.promisor", "true")
    git(root, "config", "remote.origin.uploadpack", program)
    blob = git(root, "rev-parse", "HEAD:a.py").stdout.decode().strip()
    (root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    changed(root)


def submodule(root, program):
    inner = root.with_name("inner")
    inner.mkdir()
    (inner / "b.py").write_text("y = 1\n")
    git(inner, "init", "-q")
    git(inner, "add", ".")
    git(inner, "commit", "-q", "-m", "one")
    git(root, "submodule", "--quiet", "add", str(inner), "sub")
    git(root, "commit", "-q", "-m", "two")
    git(root / "sub", "config", "core.fsmonitor", program)
    os.utime(root / "sub/b.py", (1, 1))


def signature(root, program):
    """A commit says that it is signed, and the repository says who checks that."""
    git(root, "config", "log.showSignature", "true")
    git(root, "config", "gpg.program", program)
    said = b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n c2ln\n -----END PGP SIGNATURE-----\n\n"
    signed = git(root, "cat-file", "commit", "HEAD").stdout.replace(b"\n\n", said, 1)
    name = git(root, "hash-object", "-t", "commit", "-w", "--stdin", input=signed).stdout.decode().strip()
    git(root, "reset", "--quiet", "--soft", name)


TRICKS = (
    *(fsmonitor, hook, hooks_path, clean, smudge, process, required, included, of_the_work_tree),
    *(external_diff, textconv, promised, submodule, signature),
)
QUESTIONS = (("status",), ("diff", "HEAD"), ("cat-file", "--filters", "HEAD:a.py"), ("log", "--max-count=3"))


def asked(root):
    """Every question of ours; the answers do not matter here."""
    for question in (
        lambda: ours.refuse_dirty(root, ["a.py"]),
        lambda: ours.list_tracked(str(root), ["a.py", "sub"]),
        lambda: change_since(root, "HEAD"),
        lambda: is_known(root, (("a.py", TEXT),)),
        lambda: is_ancestor(root, "HEAD"),
        lambda: ours.version(str(root)),
        lambda: latest_commits(root, ["a.py"]),
        lambda: list(committed_texts(root, 10, 20.0)),
        lambda: earlier_versions(root, "a.py", 3),
    ):
        with contextlib.suppress(RepairError):
            question()


@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__)
def test_questions_run_nothing_of_the_repository(repo, evil, trick):
    program, canary = evil
    trick(repo, str(program))
    asked(repo)
    assert not canary.exists()
    os.utime(repo / "a.py", (2, 2))  # so that git has to look once more
    for words in QUESTIONS:  # the control, afterwards: a question may write what the next would have asked
        git(repo, *words, check=False)
    assert canary.exists(), "plain git runs it"


def test_a_folder_that_looks_like_a_repository_is_none(repo, evil):
    """A clone brings such a folder along: no .git in its name."""
    program, canary = evil
    inner = repo / "sub"
    git(repo, "init", "-q", "--bare", str(inner))
    (inner / "work").mkdir()
    git(inner, "config", "core.bare", "false")
    git(inner, "config", "core.worktree", "work")
    git(inner, "config", "core.fsmonitor", str(program))
    asked(inner)
    assert not canary.exists()
    git(inner / "work", "status", check=False)
    assert canary.exists()


def test_a_filter_whose_name_cannot_be_put_aside_is_refused(repo, evil):
    program, canary = evil
    (repo / ".gitattributes").write_text("*.py filter=a=b\n")
    with open(repo / ".git/config", "a") as file:
        file.write(f'[filter "a=b"]\n\tclean = {program}\n')
    changed(repo)
    with pytest.raises(UsageError, match="filter that cannot be put aside"):
        change_since(repo, "HEAD")
    asked(repo)
    assert not canary.exists()
    git(repo, "status")
    assert canary.exists()


@pytest.mark.parametrize("folders", [(".",), ("node_modules/.bin",), ("{root}/node_modules/.bin",)])
def test_no_git_of_the_project_is_started(repo, evil, monkeypatch, folders):
    program, canary = evil
    (repo / "node_modules/.bin").mkdir(parents=True)
    for place in (repo, repo / "node_modules/.bin"):
        shutil.copy(program, place / "git")
    monkeypatch.chdir(repo)
    monkeypatch.setenv("PATH", os.pathsep.join([*(f.format(root=repo) for f in folders), os.environ["PATH"]]))
    asked(repo / "node_modules")  # a root within the repository
    assert not canary.exists()
    subprocess.run(["git", "status"], check=False, capture_output=True)
    assert canary.exists()


def test_a_repository_that_answers_nothing_is_given_up(repo, monkeypatch):
    monkeypatch.setattr(ours, "_SECONDS", 0.5)
    (repo / ".git/config").unlink()
    os.mkfifo(repo / ".git/config")
    with pytest.raises(UsageError, match=r"no answer within 0\.5 seconds"):
        change_since(repo, "HEAD")
    assert ours.list_tracked(str(repo), ["a.py"]) is None


def test_filters_of_the_users_own_are_used(repo, tmp_path, monkeypatch):
    """Large files are kept so: what the user's own settings name is no stranger's."""
    (tmp_path / "own").write_text('[filter "evil"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "own"))
    (repo / "a.py").write_text("y = 1\n")
    assert dict(change_since(repo, "HEAD").before) == {"a.py": TEXT}
    git(repo, "add", "a.py")
    git(repo, "commit", "-q", "-m", "two")
    assert git(repo, "cat-file", "blob", "HEAD:a.py").stdout == b"Y = 1\n"
    assert is_known(repo, (("a.py", b"y = 1\n"),))


def test_a_commit_is_the_users_own(repo, evil, monkeypatch):
    """It is asked for by its name, and people expect their hooks."""
    program, canary = evil
    for name in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "a@example.org")
    shutil.copy(program, repo / ".git/hooks/pre-commit")
    ours.refuse_dirty(repo, ["a.py"])
    assert not canary.exists()
    changed(repo)
    made, _ = ours.commit(repo, ["a.py"], "Mend it")
    assert canary.exists()
    assert git(repo, "rev-parse", "HEAD").stdout.decode().strip() == made


def test_what_git_tracks(repo):
    (repo / "b.py").write_bytes(TEXT)
    assert ours.list_tracked(str(repo), ["a.py", "b.py"]) == ("a.py",)
    assert ours.list_tracked(str(repo / "nothing"), ["a.py"]) == ()
    (repo / ".git/index").write_bytes(b"no index")
    assert ours.list_tracked(str(repo), ["a.py"]) is None


def test_the_work_tree_is_the_nearest_and_never_the_home(repo, tmp_path, monkeypatch):
    (repo / "pkg").mkdir()
    assert ours.work_tree(str(repo / "pkg")) == str(repo)
    assert ours.work_tree(str(tmp_path)) == str(tmp_path)
    monkeypatch.setenv("HOME", str(repo))
    assert ours.work_tree(str(repo / "pkg")) == str(repo / "pkg")
    assert ours.work_tree(str(Path("/"))) == "/"


def test_earlier_versions_are_those_of_commits_that_changed_the_file(repo):
    (repo / "m.py").write_bytes(b"x = 1\n")
    git(repo, "add", "m.py")
    git(repo, "commit", "-qm", "one")
    (repo / "m.py").write_bytes(b"x = 2\n")
    git(repo, "commit", "-qam", "two")
    (repo / "m.py").write_bytes(b"x = 3\n")
    versions, whole = ours.earlier_versions(repo, "m.py", 5)
    assert ([content for _, content in versions], whole) == ([b"x = 2\n", b"x = 1\n"], True)
    assert all(len(name) == 7 for name, _ in versions)
    versions, whole = ours.earlier_versions(repo, "m.py", 1)
    assert ([content for _, content in versions], whole) == ([b"x = 2\n"], False)
    assert ours.earlier_versions(repo, "none.py", 5) == ((), True)


def test_a_large_earlier_version_is_left_out_unread(repo, monkeypatch):
    monkeypatch.setattr(ours, "MOST_OF_A_VERSION", 8)
    (repo / "m.py").write_bytes(b"x = 1234567890\n")
    git(repo, "add", "m.py")
    git(repo, "commit", "-qm", "one")
    (repo / "m.py").write_bytes(b"x = 2\n")
    git(repo, "commit", "-qam", "two")
    versions, whole = ours.earlier_versions(repo, "m.py", 5)
    assert ([content for _, content in versions], whole) == ([b"x = 2\n"], False)


def test_where_git_gives_up_while_a_version_is_read_there_are_none(repo, monkeypatch):
    def late(*_):
        raise UsageError("git gives no answer within 60 seconds")

    (repo / "m.py").write_bytes(b"x = 1\n")
    git(repo, "add", "m.py")
    git(repo, "commit", "-qm", "one")
    monkeypatch.setattr(ours, "_read_object", late)
    assert ours.earlier_versions(repo, "m.py", 5) == ((), False)


def test_what_is_checked_out_is_told_and_nothing_without_git(repo, tmp_path_factory):
    (repo / "m.py").write_bytes(b"x = 1\n")
    git(repo, "add", "m.py")
    git(repo, "commit", "-qm", "one")
    first = ours.head(str(repo))
    git(repo, "commit", "-q", "--amend", "-m", "other")
    assert "false" in first
    assert ours.head(str(repo)) not in ("", first)
    assert ours.head(str(tmp_path_factory.mktemp("bare"))) == ""


def test_the_history_of_a_strangers_repository_runs_nothing_that_it_names(repo, evil):
    program, canary = evil
    (repo / "m.py").write_bytes(b"x = 1\n")
    git(repo, "add", "m.py")
    git(repo, "commit", "-qm", "one")
    (repo / ".git" / "info" / "attributes").write_text("m.py filter=f diff=d\n")
    for name in ("filter.f.smudge", "filter.f.process", "diff.d.textconv", "diff.d.command", "gpg.program"):
        git(repo, "config", name, str(program))
    git(repo, "config", "log.showSignature", "true")
    git(repo, "cat-file", "--filters", "HEAD:m.py", check=False)
    assert canary.exists()
    canary.unlink()
    assert ours.earlier_versions(repo, "m.py", 5)[0][0][1] == b"x = 1\n"
    assert not canary.exists()


def test_a_folder_without_git_has_no_earlier_versions(tmp_path):
    assert ours.earlier_versions(tmp_path, "m.py", 5)[0] == ()
