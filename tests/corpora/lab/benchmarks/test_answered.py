"""What answers are worth: which answer the reference gives, who is right, and how words are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.bug import Bug, Oracle
from corpora.lab.benchmarks import answered
from corpora.lab.benchmarks.answered import WRITTEN, Answered, Round, agrees, run_rounds, summarize
from corpora.lab.benchmarks.figures import table
from corpora.loaders.flat import FlatCorpus, files_below

RIGHT = "scoring.hand_value(['AS', 'KS', 'KS', 'KS']) == 31"
WRONG = "scoring.hand_value(['AS', 'KS', 'KS', 'KS']) == 21"
DIFF = """\
--- a/scoring.py
+++ b/scoring.py
@@ -{0},1 +{0},1 @@
-    if value > 21 and "A" in ranks:
+    while value > 21 and "A" in ranks:
"""


@pytest.fixture
def case() -> tuple[Bug, Oracle]:
    corpus = FlatCorpus(WRITTEN)
    bug = next(bug for bug in corpus.bugs() if isinstance(bug, Bug) and bug.id == "cardscore")
    return bug, corpus.oracle(bug)


def result(status: str, *, asks: bool = False, patch: bool = True) -> dict[str, object]:
    text = (WRITTEN / "cardscore/tree/scoring.py").read_text("utf-8").splitlines()
    line = next(number for number, each in enumerate(text, 1) if 'if value > 21 and "A" in ranks' in each)
    evidence = [{"asked": {"question": "?"}, "answer": WRONG, "otherwise": RIGHT}] if asks else [{"asked": None}]
    patches = [{"diff": DIFF.format(line), "evidence": evidence}] if patch else []
    return {"status": status, "patches": patches}


def test_the_reference_says_what_is_meant(case: tuple[Bug, Oracle], tmp_path: Path) -> None:
    bug, oracle = case
    answered.write_files(tmp_path, files_below(WRITTEN / "cardscore/tree"))
    assert agrees(RIGHT, tmp_path, oracle.reference, bug) != agrees(WRONG, tmp_path, oracle.reference, bug)
    assert agrees(RIGHT, tmp_path, oracle.reference, bug)
    assert not agrees("nothing.of(1) == 2", tmp_path, oracle.reference, bug)


def test_a_question_is_answered_and_the_next_run_is_told(case: tuple[Bug, Oracle], monkeypatch) -> None:
    given: list[list[str]] = []

    def fix(root: Path, state: Path, answers: list[str], max_seconds: float) -> dict[str, object]:
        given.append(list(answers))
        return result("plausible", asks=True) if not answers else result("unrepaired", patch=False)

    monkeypatch.setattr(answered, "fix", fix)
    first, second = run_rounds(*case, 5.0)
    assert given == [[], [RIGHT]]
    assert (first.status, first.is_right, first.has_asked, first.answer, first.agrees) == (
        "plausible", False, True, RIGHT, False,
    )  # fmt: skip
    assert (second.status, second.has_patch, second.answer) == ("unrepaired", False, "")


def test_nobody_is_asked_more_than_twice(case: tuple[Bug, Oracle], monkeypatch) -> None:
    monkeypatch.setattr(answered, "fix", lambda *_: result("plausible", asks=True))
    assert [bool(each.answer) for each in run_rounds(*case, 5.0)] == [True, True, False]


def test_words_are_counted_by_the_last_run() -> None:
    asked = Round("plausible", False, True, True, "f(1) == 2", True)
    found = summarize(
        [
            Answered("a", (asked, Round("certified", False, True))),
            Answered("b", (Round("plausible", True, True, True, "f(1) == 2", True), Round("certified", True, True))),
            Answered("c", (Round("plausible", False, True, True, "f(1) == 2"), Round("unrepaired"))),
            Answered("d", (Round("plausible", True, True),)),
        ]
    )
    values = {row.figure.name: dict(row.values)["projects"] for row in found.rows}
    assert values == {
        "wrong_certified_after_answers": 0.5,
        "right_withheld_after_answers": 0.5,
        "wrong_that_an_answer_contradicts": 0.5,
    }
    numbers = dict(found.numbers)
    assert (numbers["patched"], numbers["right"], numbers["certified"]) == (3.0, 2.0, 2.0)
    assert numbers["plausible without a ready answer"] == 1.0
    assert summarize([]).rows == (), "of nothing there is no share"
    assert "right_withheld_after_answers" in table(summarize([Answered("b", (Round("plausible", True, True),))]))
    assert "plausible, wrong, answered with it" in Answered("a", (asked,)).line
