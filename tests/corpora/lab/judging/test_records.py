"""Lines of material and judgements survive crashes: the last word counts, a torn line is made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import TargetError
from corpora.lab.judging.records import (
    JUDGEMENTS,
    MATERIAL,
    GateSaid,
    Judgement,
    Material,
    Patch,
    Place,
    append,
    judgements,
    materials,
)

PLACE = Place("flat:own", "a", "own")
PATCH = Patch(PLACE, True, "reference", "", "--- a/\udcff\n", "reference")
MADE = Material(PLACE, ("t::a",), (PATCH,), {"mutant: agrees": 3}, seconds=1.5)
SAID = Judgement(PATCH.id, "certified", (GateSaid("shape", "accept", "fine", 0.1),), 2.0, 0.5, revision="r")


def test_what_is_written_is_read(tmp_path: Path):
    append(tmp_path / MATERIAL, [MADE])
    append(tmp_path / JUDGEMENTS, [SAID])
    assert materials(tmp_path) == (MADE,)
    assert judgements(tmp_path) == {PATCH.id: SAID}


def test_a_folder_without_lines_is_an_empty_one(tmp_path: Path):
    assert materials(tmp_path) == ()
    assert judgements(tmp_path) == {}


def test_a_torn_line_is_passed_over_and_what_follows_stands_by_itself(tmp_path: Path):
    append(tmp_path / MATERIAL, [MADE])
    whole = (tmp_path / MATERIAL).read_bytes()
    (tmp_path / MATERIAL).write_bytes(whole + whole[: len(whole) // 2])
    assert materials(tmp_path) == (MADE,)
    other = Material(Place("flat:own", "b", "own"), reason="no visible test fails")
    append(tmp_path / MATERIAL, [other])
    assert materials(tmp_path) == (MADE, other)


def test_the_last_word_counts(tmp_path: Path):
    append(tmp_path / JUDGEMENTS, [Judgement(PATCH.id, "", error="killed"), SAID])
    assert judgements(tmp_path) == {PATCH.id: SAID}


def test_what_cannot_be_written_is_said(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TargetError, match="cannot be written"):
        append(tmp_path / "file" / MATERIAL, [MADE])


def test_half_of_the_mined_bugs_is_held_out():
    held_out = [Place("mined:x", str(n), "x").is_held_out for n in range(100)]
    assert 30 < sum(held_out) < 70
    assert not any(Place("flat:x", str(n), "x").is_held_out for n in range(100))
