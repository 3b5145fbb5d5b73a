"""A mined corpus is its lines and a clone; neither holds an answer that could reach a tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.history import FIRST, mined

from analysis.errors import TargetError
from corpora.bug import Bug, Corpus, SetAside
from corpora.catalog import open_corpus
from corpora.loaders.mined import COMMITS, SOURCE, open_mined


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return mined(tmp_path / "mined")


def bug_of(corpus: Corpus) -> Bug:
    bug, _ = (found for found in corpus.bugs() if isinstance(found, Bug))
    return bug


def test_verified_commits_are_bugs_and_the_others_set_aside(folder: Path):
    aside, bug, _ = open_mined(folder, {}).bugs()
    assert isinstance(aside, SetAside)
    assert aside.reason == "nothing fails"
    assert isinstance(bug, Bug)
    assert bug.failing == ("test_lib.py::test_half",)
    assert (bug.provenance.project, bug.provenance.date, bug.provenance.kind) == ("lib", "2024-01-02", "mined")


def test_the_tree_has_the_old_function_among_the_new_files(folder: Path, tmp_path: Path):
    corpus = open_mined(folder, {})
    corpus.write_tree(bug_of(corpus), tmp_path / "tree")
    assert (tmp_path / "tree" / "lib.py").read_text() == FIRST["lib.py"]
    assert "test_half" in (tmp_path / "tree" / "test_lib.py").read_text()
    assert not (tmp_path / "tree" / ".git").exists()


def test_the_answer_is_the_file_of_the_commit(folder: Path):
    corpus = open_mined(folder, {})
    ((path, text),) = corpus.oracle(bug_of(corpus)).reference
    assert path == "lib.py"
    assert b"n // 2" in text


def test_a_line_that_was_broken_off_is_passed_over(folder: Path):
    with (folder / COMMITS).open("ab") as file:
        file.write(b'{"candidate": {"comm')
    assert len(list(open_mined(folder, {}).bugs())) == 3


def test_a_clone_that_has_moved_is_named(folder: Path, tmp_path: Path):
    (tmp_path / "mined.git").rename(tmp_path / "moved")
    with pytest.raises(TargetError, match=r"repository=PATH; it was cloned from https://example\.org"):
        open_mined(folder, {})
    corpus = open_corpus(f"mined:{folder}?repository={tmp_path / 'moved'}")
    assert corpus.oracle(bug_of(corpus)).reference


@pytest.mark.parametrize(("name", "text"), [(SOURCE, None), (SOURCE, "{}"), (COMMITS, "{}\n"), (COMMITS, None)])
def test_another_layout_is_refused(folder: Path, name: str, text: str | None):
    (folder / name).unlink() if text is None else (folder / name).write_text(text)
    with pytest.raises(TargetError, match="not laid out as a mined corpus"):
        open_mined(folder, {})
