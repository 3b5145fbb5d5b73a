"""What rows of three arms come to: each arm by itself, the hybrid beside the others, and what nobody knows is said."""

from __future__ import annotations

import json
from dataclasses import replace

from click.testing import CliRunner
from fakes.benched import AGREES, DIFFERS, row
from fakes.published import humaneval

from corpora.bench.summary import ScoredCell
from corpora.lab.benchmarks.figures import figures_of
from corpora.lab.benchmarks.model import bug_rows, figures_of_rows, first_seeds_of_arms, main
from repair.records.result import ModelAttempt, Status


def attempted(cell: ScoredCell, *outcomes: str) -> ScoredCell:
    assert cell.record.result is not None
    attempts = tuple(ModelAttempt("half.py", "half", outcome=outcome) for outcome in outcomes)
    return replace(cell, record=replace(cell.record, result=replace(cell.record.result, attempts=attempts)))


CELLS = (
    row("a", Status.CERTIFIED, AGREES, name="hybrid"),
    row("b", Status.PLAUSIBLE, AGREES, name="hybrid"),
    row("c", Status.CERTIFIED, DIFFERS, name="hybrid"),
    attempted(row("a", Status.UNREPAIRED, name="model"), "failed", "cut", "repeated", "elsewhere"),
    row("b", Status.PLAUSIBLE, AGREES, name="model"),
    row("c", None, name="model"),
    row("a", Status.UNREPAIRED, name="search"),
)
SERVED = {("flat:x", "a", "model"): [("near", "others"), ("near", "ours"), ("junk", "cut"), ("near", "others")]}


def test_arms_are_compared_on_the_bugs_that_both_have() -> None:
    measured = figures_of_rows(bug_rows(first_seeds_of_arms(CELLS), SERVED))
    figures = figures_of(measured)
    assert figures["hybrid_noisy_oracle"] == 0.5
    assert (figures["hybrid_bugs"], figures["model_bugs"], figures["search_bugs"]) == (3, 2, 1)
    assert figures["hybrid_wrong_certified"] == round(1 / 3, 5)
    assert figures["model_plausible"] == 0.5
    assert figures["model_wasted_a_bug"] == 1.0
    assert figures["model_requests_a_bug"] == 1.0
    assert figures["near_misses_by_others"] == round(2 / 3, 5)
    assert (
        "hybrid beside model, agrees: 1 both, 1 hybrid alone, 0 model alone, 0 neither; exact p 1.000" in measured.notes
    )
    assert any("US dollars: unknown" in note for note in measured.notes)


def test_a_row_says_what_became_of_one_bug() -> None:
    rows = bug_rows(first_seeds_of_arms(CELLS), SERVED)
    (model,) = (each for each in rows if (each["bug"], each["arm"]) == ("a", "model"))
    assert model["served"] == {"near": 3, "junk": 1}
    assert (model["plausible"], model["requests"], model["wasted"], model["tokens"], model["usd"]) == (
        False,
        1,
        2,
        7,
        None,
    )


def test_one_arm_alone_is_compared_with_nobody() -> None:
    measured = figures_of_rows(bug_rows(first_seeds_of_arms(CELLS[:3]), {}))
    assert measured.rows == ()
    assert figures_of(measured)["hybrid_bugs"] == 3


def test_the_oracle_mends_what_it_is_asked_about(tmp_path) -> None:
    out = tmp_path / "model.json"
    place = f"humaneval:{humaneval(tmp_path / 'corpus')}"
    words = [place, "--arms", "model", "--bugs", "*8", "--folder", str(tmp_path / "kept"), "--out", str(out)]
    done = CliRunner().invoke(
        main, [*words, "--seconds", "60", "--seed", "4", "--fixes", "1", "--pairs", "0"], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    record = json.loads(out.read_text())
    assert "words_reach" in done.output
    assert "words_reach_without" in done.output
    (only,) = record["steps"]
    assert only["arm"] == "model"
    assert only["requests"] >= 1
    assert sum(only["served"].values()) == only["requests"]
