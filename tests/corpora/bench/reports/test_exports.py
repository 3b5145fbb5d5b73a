"""Predictions and published trees hold the answers, and nothing escapes from their folder."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.benched import AGREES, DIFF, SAMPLE, row

from corpora.bench.reports.exports import predictions, write_repairbench
from repair.records.result import Status


def test_predictions_hold_each_answer_once():
    every = (*SAMPLE, row("a", Status.CERTIFIED, AGREES, seed=1))
    lines = [
        json.loads(line) for line in predictions(sorted(every, key=lambda r: (r.cell.bug, r.cell.seed))).splitlines()
    ]
    assert [line["instance_id"] for line in lines] == list("abcd")
    assert lines[0] == {"instance_id": "a", "model_name_or_path": "search", "model_patch": DIFF}


def test_the_tree_sorts_patches_by_what_they_earn(tmp_path: Path):
    write_repairbench(SAMPLE, {("flat:x", "a"): "target\n"}, tmp_path)
    home = tmp_path / "search" / "flat_x"
    patches = sorted(path.relative_to(home / "patches").as_posix() for path in home.rglob("*.diff"))
    assert patches == [
        "a/exact_match/0.diff",
        "a/target.diff",
        "b/plausible/0.diff",
        "c/plausible/0.diff",
        "d/plausible/0.diff",
    ]
    counts = json.loads((home / "statistics_flat_x_search.json").read_text())
    assert (counts["num_bugs"], counts["num_plausible_patches"], counts["num_ast_match_patches"]) == (5, 4, 1)
    assert counts["bugs_with_exact_match_candidates"] == ["a"]
    assert counts["plausible@1"] == 0.8
    assert json.loads((home / "costs_flat_x_search.json").read_text())["total_cost"] == 2.5


@pytest.mark.parametrize(("compiled", "folder"), [(True, "compilable"), (False, "non_compilable")])
def test_what_the_judge_refused_is_a_patch_too(compiled: bool, folder: str, tmp_path: Path):
    refused = row("a", Status.REJECTED)
    assert refused.score is not None
    refused = replace(
        refused, record=replace(refused.record, submitted=DIFF), score=replace(refused.score, compiled=compiled)
    )
    write_repairbench([refused], {}, tmp_path)
    (patch,) = tmp_path.rglob("*.diff")
    assert patch.parent.name == folder
    assert predictions([refused]) == ""


def test_of_several_seeds_the_first_that_was_measured_is_predicted():
    rows = [row("a", None), row("a", Status.CERTIFIED, AGREES, seed=1), row("a", Status.CERTIFIED, AGREES, seed=2)]
    assert len(predictions(rows).splitlines()) == 1


def test_names_cannot_leave_the_folder(tmp_path: Path):
    write_repairbench([row("../../x", Status.CERTIFIED, AGREES, name="..")], {}, tmp_path / "out")
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]
