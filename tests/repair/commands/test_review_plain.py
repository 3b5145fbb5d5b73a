"""A review line by line: what is typed, what is said, what is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fakes.reviewed import NextRun, run_to_review, text_of

from repair.commands.review import reviewing
from repair.commands.review.plain import PlainReview
from repair.commands.review.reviewing import Review
from repair.store.decisions import TERMINAL, decisions_of
from repair.store.store import open_store


def talk(root: Path, typed: Sequence[str], count: int = 1, editor: str = "false") -> tuple[str, Review]:
    """What was said to these lines."""
    review = Review(open_store(root), run_to_review(root, count=count), root, {}, way=TERMINAL)
    waiting, heard = list(typed), []
    env = {"EDITOR": editor, "PATH": "/usr/bin:/bin"}
    PlainReview(review, lambda prompt: waiting.pop(0) if waiting else None, heard.append, env, 80).run()
    return "\n".join(heard), review


def test_the_patch_comes_first_and_the_end_of_input_leaves(tmp_path: Path) -> None:
    said, review = talk(tmp_path, [])
    assert said.index("patch 1 of 1") < said.index("plausible  shop.py:1: price")
    assert "Question: What should price(10) give?" in said
    assert decisions_of(review.run) == ()


def test_words_do_what_keys_do(tmp_path: Path) -> None:
    said, review = talk(tmp_path, ["reject", "it must raise", "h Ada", "", "apply", "q", "never read"])
    assert [(each.said, each.note) for each in decisions_of(review.run)] == [
        ("rejected", "it must raise"), ("handed_on", "Ada"), ("approved", ""),
    ]  # fmt: skip
    assert "Applied: shop.py" in said
    assert (tmp_path / "shop.py").read_bytes() == text_of(1)


def test_what_is_refused_is_said_and_the_review_goes_on(tmp_path: Path) -> None:
    said, review = talk(tmp_path, ["r", "", "c", "e", "what?", "r no"])
    assert "It is not said why the patch is wrong" in said
    assert "The editor ended with 1" in said
    assert "The patch is right: write it into the project" in said, "an unknown key shows the help"
    assert decisions_of(review.run)[-1].note == "no"


def test_all_patches_can_be_reached(tmp_path: Path) -> None:
    said, _ = talk(tmp_path, ["l", "+", "+", "-", "n", "v"], count=3)
    assert "  3  plausible  shop.py:1 price  risk 10.0 %" in said
    assert said.count("patch 2 of 3") == 2
    assert "Patch 3 of 3" in said


def test_an_answer_is_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = NextRun(lambda: run_to_review(tmp_path, "bb", first=5))
    monkeypatch.setattr(reviewing, "run_to_end", engine)
    said, review = talk(tmp_path, ["1"])
    assert engine.asked[0].options["answer"] == ("shop.price(10) == 50",)
    assert "Judging again with shop.price(10) == 50 …" in said
    assert "gathering evidence" in said
    assert said.rstrip().endswith("plausible (run 20250102-000000-bb): 1 patch")
    assert review.run.id == "20250102-000000-bb"
