"""Patches that people wrote beside a bug count where they are as they are said to be."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.sizes import BUG, FIXED, PROGRAM, Sizes

from corpora.bug import Bug
from corpora.lab.judging.known_patches import WRITTEN, read_known
from corpora.lab.judging.records import Material, Place
from corpora.lab.judging.subjects import Terms
from transforms.patch.diff import unified_diff

TERMS = Terms(isolation="none")
PLACE = Place("flat:x", BUG.id, "sizes")


def read(folder: Path, bug: Bug = BUG, **texts: bytes) -> Material:
    """What is read where patches to these texts of the program lie: ``right_a``, ``wrong_b``."""
    for name, text in texts.items():
        side, _, label = name.partition("_")
        place = folder / bug.id / "patches" / side
        place.mkdir(parents=True, exist_ok=True)
        diff = unified_diff("sizes.py", PROGRAM, text) if b"def " in text else text.decode()
        (place / f"{label}.diff").write_text(diff)
    return read_known(folder, bug, Sizes(), PLACE, TERMS)


def test_a_patch_counts_where_visible_and_hidden_tests_say_what_is_said_of_it(tmp_path: Path) -> None:
    found = read(tmp_path, right_fix=FIXED, wrong_fix=FIXED, right_none=PROGRAM + b"\n\nMORE = 1\n")
    assert [(patch.label, patch.right, patch.how) for patch in found.patches] == [("fix", True, WRITTEN)]
    assert sorted(found.dropped) == [
        "fix: said to be wrong, and no hidden test fails",
        "none: a visible test fails",
    ]


@pytest.mark.parametrize("texts", [{}, {"right_torn": b"no patch at all"}])
def test_where_no_patch_is_left_the_reason_is_said(tmp_path: Path, texts: dict[str, bytes]) -> None:
    found = read(tmp_path, **texts)
    assert not found.patches
    assert found.reason == "no patch lies beside it, or none is as it is said to be"
    assert len(found.dropped) == len(texts)
