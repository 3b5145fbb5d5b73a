"""Git repositories are read through plumbing, and nothing of theirs is run or changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.history import FIRST, MENDED, git, make_history

from analysis.errors import TargetError, UsageError
from corpora.mining.repository import Repository


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_history(tmp_path_factory.mktemp("git") / "lib")


def test_commits_with_one_parent_newest_first(history: Path):
    with Repository(history) as repository:
        found = repository.commits("HEAD", None, "")
    assert [commit.subject for commit in found] == ["Support a factor", "add thrice", "document twice", "Fix half"]
    assert [change.path for change in found[-1].files] == ["lib.py", "test_lib.py"]
    assert {change.kind for commit in found for change in commit.files} == {"M"}
    assert found[-1].date == "2024-01-02"


def test_commits_can_be_bounded(history: Path):
    with Repository(history) as repository:
        assert len(repository.commits("HEAD", 2, "")) == 2
        assert [c.subject for c in repository.commits("HEAD", None, "2024-01-04")][:1] == ["Support a factor"]
        assert (
            len(repository.commits("HEAD", None, "2024-01-05")) == 1
        )  # the day begins at midnight, whatever time it is
        assert repository.commits("HEAD~4", None, "") == ()


def test_many_blobs_come_from_one_process(history: Path):
    with Repository(history) as repository:
        mended = repository.commits("HEAD", None, "")[-1].files[0]
        assert repository.blob(mended.old).decode() == FIRST["lib.py"]
        assert repository.blob(mended.new).decode() == MENDED
        assert repository.blob("HEAD:lib.py").decode().endswith("n * 3\n")


def test_a_tree_is_written_whole_and_without_git(history: Path, tmp_path: Path):
    (history / ".gitattributes").write_text("test_lib.py export-ignore\n")
    git(history, "add", "--all")
    git(history, "commit", "--quiet", "--message", "attributes", date="2024-02-01T12:00:00+0000")
    try:
        with Repository(history) as repository:
            repository.write_tree("HEAD", tmp_path / "tree")
        written = sorted(path.name for path in (tmp_path / "tree").rglob("*"))
        assert written == [".gitattributes", "lib.py", "test_lib.py"]
        assert git(history, "status", "--porcelain") == ""
    finally:
        git(history, "reset", "--quiet", "--hard", "HEAD~1")


def test_no_filter_of_the_repository_runs(tmp_path: Path):
    steps = (("first", {".gitattributes": "*.py filter=odd\n", "lib.py": "x = 1\n"}),)
    root = make_history(tmp_path / "lib", steps)
    git(root, "config", "filter.odd.smudge", f"touch {tmp_path}/ran; cat")
    git(root, "config", "filter.odd.required", "true")
    with Repository(root) as repository:
        repository.write_tree("HEAD", tmp_path / "tree")
    assert (tmp_path / "tree" / "lib.py").read_text() == "x = 1\n"
    assert not (tmp_path / "ran").exists()


def test_origin_holds_no_credentials(history: Path):
    with Repository(history) as repository:
        assert repository.origin() == "https://example.org/lib.git"


def test_what_is_no_repository_is_refused(tmp_path: Path):
    with pytest.raises(TargetError, match="no git repository"):
        Repository(tmp_path)


def test_an_unknown_revision_is_told(history: Path):
    with Repository(history) as repository, pytest.raises(UsageError, match="git log failed"):
        repository.commits("nowhere", None, "")


def test_a_missing_object_is_told(history: Path):
    with Repository(history) as repository, pytest.raises(TargetError, match="lacks the object"):
        repository.blob("0" * 40)


def test_a_name_of_several_lines_is_no_second_question(history: Path):
    with Repository(history) as repository, pytest.raises(TargetError, match="several lines"):
        repository.blob("HEAD:lib.py\nHEAD:test_lib.py")
