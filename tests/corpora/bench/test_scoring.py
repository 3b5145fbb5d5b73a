"""Records are scored from the held-out side; what cannot be compared is said, never guessed."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from corpora.bench.agreement import Agreement, Standing
from corpora.bench.record import BenchRecord, Cell
from corpora.bench.score import Score, answer, fault_rank
from corpora.bench.scoring import Bench, score
from corpora.bug import Bug, Fault
from corpora.loaders.flat import FlatCorpus
from repair.records.result import PatchView, Result, Status, SuspectView
from transforms.patch.diff import unified_diff

BUGGY = "def half(n):\n    return n // 3\n"
FIXED = "def half(n):\n    return n // 2\n"
TEST = "from half import half\n\n\ndef test_half():\n    assert half(4) == 2\n"
SUSPECTS = (SuspectView("half.py", "third", 1, 1.0), SuspectView("half.py", "half", 5, 0.5))
BENCH = Bench(sys.executable, "none")


@pytest.fixture
def corpus(tmp_path: Path) -> FlatCorpus:
    place = tmp_path / "corpus" / "half"
    (place / "reference").mkdir(parents=True)
    (place / "half.py").write_text(BUGGY)
    (place / "test_half.py").write_text(TEST)
    (place / "reference" / "half.py").write_text(FIXED)
    (place / "bug.toml").write_text('function = "half.py:half"\n')
    return FlatCorpus(place.parent)


def record(status: Status, after: str = "", diff: str = "") -> BenchRecord:
    shown = diff or unified_diff("half.py", BUGGY.encode(), after.encode())
    patches = (PatchView(1, status, "half.py", "half", shown, "d"),) if after or diff else ()
    result = Result(status, patches=patches, suspects=SUSPECTS)
    return BenchRecord(Cell("flat:x", "half", "search", 0), "done", 1.0, "2026-01-01T00:00:00Z", result=result)


def scored(corpus: FlatCorpus, record: BenchRecord) -> Score:
    (bug,) = corpus.bugs()
    assert isinstance(bug, Bug)
    return score(record, bug, corpus, BENCH)


def test_an_answer_is_compared_with_the_reference(corpus: FlatCorpus):
    found = scored(corpus, record(Status.CERTIFIED, FIXED))
    assert (found.status, found.compiled, found.fault_rank) == (Status.CERTIFIED, True, 2)
    assert found.agreement == Agreement(Standing.AGREES, "tree", exact=True, tree=True)
    assert Score.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_no_answer_runs_nothing(corpus: FlatCorpus):
    found = scored(corpus, record(Status.UNREPAIRED))
    assert (found.patch, found.agreement, found.fault_rank) == ("", None, 2)
    rejected = scored(corpus, record(Status.REJECTED, FIXED))
    assert (rejected.patch, rejected.agreement, rejected.compiled) == ("", None, False)


@pytest.mark.parametrize(("text", "compiles"), [("    return 2\n", True), ("    return n //\n", False)])
def test_of_a_submission_that_was_refused_only_whether_it_compiles_is_asked(
    corpus: FlatCorpus, text: str, compiles: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(FlatCorpus, "oracle", None)
    submitted = unified_diff("half.py", BUGGY.encode(), f"def half(n):\n{text}".encode())
    found = scored(corpus, replace(record(Status.REJECTED), submitted=submitted))
    assert (found.compiled, found.agreement, found.patch, found.failed) == (compiles, None, "", "")


@pytest.mark.parametrize(
    ("diff", "said"),
    [
        (unified_diff("half.py", b"another\n", b"text\n"), "does not apply"),
        (unified_diff("half.py", BUGGY.encode(), b"def half(n):\n    return n //\n"), "SyntaxError"),
    ],
)
def test_a_patch_that_does_not_fit_is_a_score(corpus: FlatCorpus, diff: str, said: str):
    found = scored(corpus, record(Status.CERTIFIED, diff=diff))
    assert not found.compiled
    assert found.agreement is not None
    assert found.agreement.standing is Standing.DIFFERS
    assert said in found.agreement.witness


def test_what_an_external_method_submitted_is_what_counts():
    submitted = unified_diff("half.py", BUGGY.encode(), b"def half(n):\n    return 2\n")
    assert answer(replace(record(Status.PLAUSIBLE, FIXED), submitted=submitted)) == submitted.encode()


@pytest.mark.parametrize(
    ("path", "name", "rank"), [("half.py", "third", 1), ("half.py", "half", 2), ("a.py", "half", 0)]
)
def test_the_rank_of_the_fault(path: str, name: str, rank: int):
    assert fault_rank(Fault(path, name), SUSPECTS) == rank


def test_no_rank_without_a_known_fault_or_suspects():
    assert fault_rank(None, SUSPECTS) is None
    assert fault_rank(Fault("half.py", "half"), ()) is None
