"""The speed figures: which numbers are divided by which, and a small project measured end to end."""

from __future__ import annotations

import sys
import textwrap

import pytest

from corpora.lab.benchmarks.cost import Cost
from corpora.lab.benchmarks.figures import figures_of
from corpora.lab.benchmarks.floor import Floor
from corpora.lab.benchmarks.setup import Setup
from corpora.lab.benchmarks.speed import Speeds, speed_figures, speeds_of
from corpora.lab.benchmarks.subject import open_tree
from sandbox.jail import choose

FLOOR = Floor(bare=2.0, mutants=1.0, failing=0.5, compiling=0.1, fork=3.0, resident_mb=40.0)
POOL = {
    "fork": (Cost(0.010, 0.006), Cost(0.010, 0.006)),
    "batch": (Cost(0.002, 0.001), Cost(0.002, 0.001)),
    "batch_all": (Cost(0.003, 0.002), Cost(0.003, 0.002)),
    "fork_two": (Cost(0.005, 0.006), Cost(0.005, 0.006)),
    "fork_open": (Cost(0.010, 0.005), Cost(0.010, 0.005)),
}
COLD = (("failed", Cost(2.0, 1.2)), ("passed", Cost(1.0, 0.6)))


def test_ratios():
    figures = figures_of(speed_figures([Speeds("lib", POOL, COLD, FLOOR)]))
    assert figures["fork_vs_cold"] == pytest.approx(0.9 / 0.006)
    assert figures["batch_vs_cold"] == pytest.approx(1.2 / 0.001)  # failing mutants against failing cold runs
    assert figures["fork_vs_cold_wall"] == pytest.approx(1.5 / 0.010)
    assert figures["fork_vs_floor"] == pytest.approx(6 / (1.0 + 3.0))
    assert figures["batch_vs_floor"] == pytest.approx(1 / (0.5 + 0.1 + 0.2))
    assert figures["two_cores_vs_one"] == pytest.approx(2.0)
    assert figures["isolation_overhead"] == pytest.approx(0.2)
    assert figures["batch_all_vs_cold"] == pytest.approx(0.9 / 0.002)


def test_without_walls_their_cost_is_left_out():
    found = speed_figures([Speeds("lib", {k: v for k, v in POOL.items() if k != "fork_open"}, COLD, FLOOR)])
    assert "isolation_overhead" not in figures_of(found)
    assert any("isolation_overhead is left out" in note for note in found.notes)


MODULE = """
    def sign(number):
        if number > 0:
            return 1
        if number < 0:
            return -1
        return 0
"""
TESTS = """
    from signs import sign

    def test_signs():
        assert [sign(3), sign(0), sign(-2)] == [1, 0, -1]
"""


def test_a_small_project_end_to_end(tmp_path):
    root = tmp_path / "signs"
    root.mkdir()
    (root / "signs.py").write_text(textwrap.dedent(MODULE).lstrip())
    (root / "test_signs.py").write_text(textwrap.dedent(TESTS).lstrip())
    jail = choose("auto")
    setup = Setup(tmp_path, tmp_path, jail, 1, 1, 2, lambda words: None)
    with open_tree("signs", root, sys.executable, "signs.py", ("sign",), ("test_signs.py",), jail) as subject:
        figures = figures_of(speed_figures([speeds_of(subject, setup)]))
    # No bounds on speed here: the machine may be busy. A cold run costs more than a fork on any machine.
    assert figures["fork_vs_cold"] > 1
    assert figures["batch_vs_cold"] > 1
    assert figures["fork_vs_floor"] > 0
    assert figures["bare_ms_signs"] > 0
    assert ("isolation_overhead" in figures) == (jail.kind != "none")
