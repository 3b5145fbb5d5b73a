"""The two commands about weights: one writes the table that ships, one checks it on judged patches."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from corpora.lab.judging.records import JUDGEMENTS, MATERIAL, Judgement, Material, Patch, Place, append
from corpora.lab.judging.weights_command import main
from repair.checks.weights import read_weights, shipped_weights


def judged(folder: Path, projects: int = 3, *, features: bool = True) -> Path:
    for number in range(projects):
        place = Place("flat:x", f"bug{number}", f"project{number}")
        made = [
            Patch(place, right, "written", f"{number}-{right}-{n}", f"diff {number} {right} {n}", "held-out tests")
            for right in (True, False)
            for n in range(4)
        ]
        append(folder / MATERIAL, [Material(place, patches=tuple(made))])
        found = {True: {"size": 0.3}, False: {"size": 0.4, "told_by_part": 1.0}}
        append(
            folder / JUDGEMENTS,
            [Judgement(p.id, "plausible", features=found[p.right] if features else {}) for p in made],
        )
    return folder


def test_learning_writes_a_table_that_ships_and_says_how_good_it_is(tmp_path: Path) -> None:
    folder, out = judged(tmp_path / "judge"), tmp_path / "weights.json"
    ended = CliRunner().invoke(main, ["learn", "--folder", str(folder), "--out", str(out)])
    assert ended.exit_code == 0, ended.output
    table = read_weights(out.read_text())
    assert (table.patches, table.projects) == (24, 3)
    assert table.features["told_by_part"].wrong == 12
    assert table.unseen == shipped_weights().unseen, "no judged patch says what certificates are worth elsewhere"
    assert "Brier score" in ended.output
    assert "wrong written: 12" in ended.output


@pytest.mark.parametrize("options", [[], ["--anew"]])
def test_checking_prints_bands_and_writes_nothing(tmp_path: Path, options: list[str]) -> None:
    folder = judged(tmp_path / "judge")
    before = sorted(folder.iterdir())
    ended = CliRunner().invoke(main, ["check", "--folder", str(folder), *options])
    assert ended.exit_code == 0, ended.output
    assert "12 right and 12 wrong patches of 3 projects" in ended.output
    assert "risk up to" in ended.output
    assert sorted(folder.iterdir()) == before


def test_without_features_there_is_nothing_to_learn_from(tmp_path: Path) -> None:
    folder = judged(tmp_path / "judge", features=False)
    ended = CliRunner().invoke(main, ["check", "--folder", str(folder)])
    assert ended.exit_code != 0
    assert "No right and wrong patches with features lie there" in str(ended.exception)
