"""The judge's word on a patch of a real bug, and its word when the fix has answered the one question."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from corpora.bug import Bug
from corpora.catalog import open_corpus
from corpora.lab.judging.judging import judge_patches
from corpora.lab.judging.records import Material, Patch, Place
from corpora.lab.judging.subjects import Terms
from transforms.patch.diff import unified_diff

OWN = f"flat:{Path(__file__).parents[4] / 'corpora' / 'own'}"
BUG = "text-truncate"
PLACE = Place(OWN, BUG, "own")


@pytest.fixture(scope="module")
def bug() -> Bug:
    return next(bug for bug in open_corpus(OWN).bugs() if isinstance(bug, Bug) and bug.id == BUG)


def test_the_answer_of_the_fix_rejects_a_wrong_patch_that_was_plausible(bug: Bug, tmp_path: Path) -> None:
    corpus = open_corpus(OWN)
    corpus.write_tree(bug, tmp_path / "tree")
    old, fixed = (tmp_path / "tree" / "shorten.py").read_bytes(), dict(corpus.oracle(bug).reference)["shorten.py"]
    too_narrow = fixed.replace(b"if width < len(mark)", b"if width <= len(mark)", 1)
    assert too_narrow != fixed
    wrong = Patch(PLACE, False, "mutant", "", unified_diff("shorten.py", old, too_narrow), "held-out tests")
    material = Material(PLACE, tuple(bug.failing), (wrong,))
    (said,) = judge_patches(bug, corpus, material, material.patches, Terms(answered=True))
    assert (said.status, said.asked) == ("plausible", True)
    assert said.answer.startswith("shorten.truncate(")
    assert said.after == "rejected"
    (silent,) = judge_patches(bug, corpus, material, material.patches, replace(Terms(), weighed_alone=True))
    assert (silent.asked, silent.answer, silent.after) == (False, "", "")
