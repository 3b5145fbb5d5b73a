"""A whole directory is scored once, damaged lines and lost corpora included."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.errors import UsageError
from corpora.bench.agreement import Standing
from corpora.bench.grading import SCORES, grade, judge, read_rows, read_scores
from corpora.bench.record import BenchRecord, Cell, Ledger
from corpora.bench.score import Judgement
from corpora.bench.scoring import Bench
from repair.records.result import PatchView, Result, Status
from transforms.patch.diff import unified_diff

BUGGY, FIXED = "def half(n):\n    return n // 3\n", "def half(n):\n    return n // 2\n"
BENCH = Bench(sys.executable, "none")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Four cells: two configurations with the same answer, one without any, one that the machine failed."""
    place = tmp_path / "corpus" / "half"
    (place / "reference").mkdir(parents=True)
    (place / "half.py").write_text(BUGGY)
    (place / "test_half.py").write_text("from half import half\n\ndef test_half(): assert half(4) == 2\n")
    (place / "reference" / "half.py").write_text(FIXED)
    out = tmp_path / "out"
    out.mkdir()
    diff = unified_diff("half.py", BUGGY.encode(), FIXED.encode())
    answer = Result(Status.CERTIFIED, patches=(PatchView(1, Status.CERTIFIED, "half.py", "half", diff, "d"),))
    with Ledger(out) as ledger:
        for name, result in (("a", answer), ("b", answer), ("c", Result(Status.UNREPAIRED)), ("d", None)):
            cell = Cell(f"flat:{place.parent}", "half", name, 0)
            ending = "done" if result else "infrastructure"
            ledger.append(BenchRecord(cell, ending, 1.0, "2026-01-01", result=result))  # type: ignore[arg-type] # a word
    return out


def run(directory: Path) -> tuple[int, list[str]]:
    said: list[str] = []
    return grade(directory, BENCH, 1, said.append), said


def test_the_same_answer_is_compared_once_and_counts_for_all_that_gave_it(directory: Path):
    done, said = run(directory)
    assert done == 3
    assert said == ["scored 1 of 1 answers: half, agrees"]
    rows, _ = read_rows(directory)
    assert [(row.cell.configuration, row.agrees, row.failed) for row in rows] == [
        ("a", True, False),
        ("b", True, False),
        ("c", False, False),
        ("d", False, True),
    ]
    assert run(directory) == (0, [])


def test_a_torn_score_is_made_again(directory: Path):
    run(directory)
    path = directory / SCORES
    path.write_bytes(path.read_bytes()[:-9])
    assert run(directory)[0] == 1
    assert {score.cell.configuration for score in read_scores(directory)} == {"a", "b", "c"}


def test_what_this_machine_could_not_compare_is_said_and_tried_again(directory: Path, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:
        patch.setattr("corpora.bench.grading.work_each", lambda work, tasks, jobs, lost: map(lost, tasks))
        assert run(directory) == (3, ["scored 1 of 1 answers: half, not compared: its process died, twice"])
    assert [row.score.failed != "" for row in read_rows(directory)[0] if row.score] == [True, True, False]
    assert run(directory) == (2, ["scored 1 of 1 answers: half, agrees"])
    assert [row.agrees for row in read_rows(directory)[0]] == [True, True, False, False]


def test_a_corpus_that_is_gone_leaves_its_cells_unscored(directory: Path):
    shutil.rmtree(directory.parent / "corpus")
    done, said = run(directory)
    assert done == 0
    assert "3 cells of flat:" in said[0]
    assert "stay unscored" in said[0]
    assert len(read_rows(directory)[0]) == 4


def test_a_person_is_heard_where_there_is_an_answer(directory: Path):
    run(directory)
    scores = {score.cell.configuration: score for score in read_scores(directory)}
    corpus, patch = scores["a"].cell.corpus, scores["a"].patch
    assert judge(directory, Judgement(corpus, "half", patch, "differs", "A", "odd numbers", "2026-01-01")) == 2
    judged = [row.standing for row in read_rows(directory)[0] if row.answered]
    assert judged == [Standing.DIFFERS, Standing.DIFFERS]
    with pytest.raises(UsageError, match="No scored answer"):
        judge(directory, Judgement(corpus, "half", "", "agrees", "A", "none", "2026-01-01"))


@pytest.mark.parametrize("look", [run, read_rows])
def test_an_empty_directory_is_refused(tmp_path: Path, look: Callable[[Path], object]):
    with pytest.raises(UsageError, match="No records are there"):
        look(tmp_path)


def test_lines_of_others_are_let_be(directory: Path):
    (directory / SCORES).write_text(json.dumps({"schema": "other/1"}) + "\nnot json\n")
    assert read_scores(directory) == ()
