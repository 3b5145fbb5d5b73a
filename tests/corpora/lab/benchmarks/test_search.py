"""What search alone mends: the figures of both orders, each of the suites that were run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from fakes.benched import AGREES, DIFFERS, row

from corpora.bench.summary import ScoredCell
from corpora.lab.benchmarks.figures import figures_of
from corpora.lab.benchmarks.search import HUMANEVAL, QUIXBUGS, REAL, main, search_figures
from repair.records.result import Status

PLAUSIBLE, UNREPAIRED = Status.PLAUSIBLE, Status.UNREPAIRED


def at(cell: ScoredCell, seconds: float) -> ScoredCell:
    return replace(cell, record=replace(cell.record, plausible_seconds=seconds))


def test_each_figure_is_of_its_suite_and_its_order() -> None:
    cells = {
        QUIXBUGS: (
            at(row("a", Status.CERTIFIED, AGREES), 2.0),
            at(row("b", PLAUSIBLE, DIFFERS), 4.0),
            row("c", UNREPAIRED),
            row("d", None),
            at(row("a", PLAUSIBLE, AGREES, name="uniform"), 9.0),
        ),
        HUMANEVAL: (row("0", PLAUSIBLE, AGREES), row("2", UNREPAIRED)),
        REAL: (row("x", PLAUSIBLE, DIFFERS), row("y", UNREPAIRED), row("z", UNREPAIRED)),
    }
    found = search_figures(cells, ("nothing else",))
    assert figures_of(found) == {
        "quixbugs_plausible": 2,
        "quixbugs_agree": 1,
        "quixbugs_median_seconds": 3.0,
        "humanevalfix_even_agree": 0.5,
        "real_plausible_share": pytest.approx(1 / 3, abs=1e-4),
        "search_candidates_per_second": 8.0,
        "quixbugs_plausible_uniform": 1,
        "quixbugs_agree_uniform": 1,
        "quixbugs_median_seconds_uniform": 9.0,
        "search_candidates_per_second_uniform": 8.0,
    }
    assert found.notes[0] == "nothing else"
    assert "search: quixbugs: 3 bugs: 2 plausible, 1 agree, 1 differ, 1 certified" in found.notes


def test_suites_without_a_corpus_are_named(tmp_path: Path) -> None:
    out = tmp_path / "search.json"
    done = CliRunner().invoke(main, ["--only", "quixbugs", "--only", "real", "--out", str(out)], catch_exceptions=False)
    assert "- quixbugs is not measured: its corpus is not named\n- real is not measured" in done.output
    assert json.loads(out.read_text())["figures"] == {}
