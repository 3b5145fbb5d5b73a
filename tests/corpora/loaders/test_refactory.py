"""Refactory: submissions by question, pairs as tests, every third one held out."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import published

from analysis.errors import TargetError
from corpora.bug import Bug, Fault, SetAside
from corpora.catalog import open_corpus
from corpora.loaders.refactory import Refactory


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return published.refactory(tmp_path / "published")


def bug_of(corpus: Refactory, id: str) -> Bug:
    (found,) = (bug for bug in corpus.bugs() if bug.id == id)
    assert isinstance(found, Bug)
    return found


def tree_of(corpus: Refactory, id: str, root: Path) -> dict[str, str]:
    corpus.write_tree(bug_of(corpus, id), root)
    return {path.name: path.read_text() for path in root.iterdir()}


def test_submissions_come_question_by_question(folder: Path):
    found = list(Refactory(folder).bugs())
    assert [(bug.id, isinstance(bug, Bug)) for bug in found] == [
        ("question_1-wrong_1_001", True),
        ("question_1-wrong_1_002", True),
        ("question_1-wrong_1_003", False),
        ("question_1-wrong_1_004", False),
        ("question_2-wrong_2_001", True),
    ]
    assert [bug.group for bug in found if isinstance(bug, Bug)] == ["question_1", "question_1", "question_2"]
    assert [bug.reason for bug in found if isinstance(bug, SetAside)] == [
        "It cannot be parsed: expected ':' (<unknown>, line 1)",
        "It does not define apart.",
    ]


def test_the_fault_is_told_where_there_is_one_function(folder: Path):
    assert bug_of(Refactory(folder), "question_1-wrong_1_001").fault == Fault("submission.py", "apart")
    assert bug_of(Refactory(folder), "question_1-wrong_1_002").fault is None


def test_pairs_become_tests_and_every_third_is_held_out(folder: Path, tmp_path: Path):
    corpus = Refactory(folder)
    tree = tree_of(corpus, "question_1-wrong_1_001", tmp_path / "tree")
    assert tree["test_submission.py"] == (
        "from submission import apart\n\n\n"
        "def test_001():\n    assert apart(5, 2) == 3\n\n\n"
        "def test_002():\n    assert apart(2, 5) == 3\n"
    )
    oracle = corpus.oracle(bug_of(corpus, "question_1-wrong_1_001"))
    assert oracle.held_out_tests == ("test_held_out.py::test_003",)
    assert b"apart(1, 1) == 0" in dict(oracle.held_out)["test_held_out.py"]
    assert oracle.reference == (("submission.py", b"def apart(a, b):\n    return max(a, b) - min(a, b)\n"),)


def test_what_stands_around_a_submission_is_part_of_it(folder: Path, tmp_path: Path):
    corpus = Refactory(folder)
    tree = tree_of(corpus, "question_2-wrong_2_001", tmp_path / "tree")
    assert tree["submission.py"].startswith("SOME = [3, 1, 2]\n\n\ndef test_it():")
    assert tree["test_submission.py"].startswith("from submission import SOME, least\n\n\ndef test_001():")
    oracle = corpus.oracle(bug_of(corpus, "question_2-wrong_2_001"))
    assert dict(oracle.reference)["submission.py"].startswith(b"SOME = [3, 1, 2]\n\n\ndef least(few):")
    assert oracle.held_out == ()


def test_the_archive_may_lie_in_its_checkout(tmp_path: Path):
    published.refactory(tmp_path / "data")
    assert bug_of(Refactory(tmp_path), "question_1-wrong_1_001").group == "question_1"


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("ans/input_001.txt", "apart(", "Not a call and a result"),
        ("ans/input_001.txt", "1 + 1", "Not a call of a function"),
        ("ans/output_002.txt", None, "Not a call and a result"),
    ],
)
def test_wrong_pairs_set_their_question_aside(folder: Path, file: str, text: str | None, said: str):
    path = folder / "question_1" / file
    path.write_text(text) if text else path.unlink()
    first, *rest = Refactory(folder).bugs()
    assert isinstance(first, SetAside)
    assert first.id == "question_1"
    assert said in first.reason
    assert [bug.id for bug in rest] == ["question_2-wrong_2_001"]


def test_a_checkout_whose_archive_is_packed_is_refused_with_the_command(tmp_path: Path):
    (tmp_path / "data.zip").write_bytes(b"PK")
    with pytest.raises(TargetError, match=r"unzip refactory/data\.zip"):
        open_corpus(f"refactory:{tmp_path}")
