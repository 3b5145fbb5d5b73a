"""What the bench of waiting measures, and what it makes of it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from corpora.lab.benchmarks.figures import figures_of
from corpora.lab.benchmarks.latency import OWN, Waited, describe, measure, small_projects, summarize

SMALL = Waited("a", False, 0.5, 8.0, 2.0, "certified", 8, 4.0, "certified", 4)
LARGE = Waited("b", True, 2.0, 30.0, 9.0, "plausible", 9, 30.0, "rejected", 5)


def test_each_small_project_fails_as_it_says_and_its_patch_mends_it(tmp_path):
    projects = list(small_projects(tmp_path, sys.executable))
    assert len(projects) == 2 + len(OWN)
    cart = projects[1]
    command = [sys.executable, "-m", "pytest", "-q", *cart.tests]
    assert subprocess.run(command, cwd=cart.root, capture_output=True, check=False).returncode == 1
    subprocess.run(["git", "apply", "-"], cwd=cart.root, input=cart.fix.encode(), check=True)
    assert subprocess.run(command, cwd=cart.root, capture_output=True, check=False).returncode == 0
    assert all(project.fix and project.tests for project in projects)


def test_a_case_is_measured_by_the_commands_that_people_run(tmp_path):
    cart = next(project for project in small_projects(tmp_path, sys.executable) if project.name == "cart-total")
    waited = measure(cart, tmp_path / "state", 60.0)
    assert waited.fix_starts
    assert waited.check_starts
    assert 0 < waited.pytest < waited.check
    assert waited.first is not None
    assert waited.first < waited.fix
    assert "cart-total: pytest" in describe(waited)


def test_a_library_is_held_against_its_own_suite():
    found = figures_of(summarize([SMALL, LARGE], [True, True, False, True]))
    assert found["library_check_ratio"] == 2.0
    assert found["check_seconds"] == 4.0
    assert (found["fix_cold_starts"], found["fix_cold_starts_worst"]) == (8.5, 9)
    assert found["deadlines_held"] == 0.75
    assert found["check_over_pytest"] == 8.0


@pytest.mark.parametrize("first", [None, 2.0])
def test_where_no_patch_was_plausible_there_is_no_first_one(first):
    found = figures_of(summarize([replace(SMALL, first=first)], []))
    assert ("first_patch_seconds" in found) is (first is not None)
    assert "deadlines_held" not in found
    assert ("fix -/" in describe(replace(SMALL, first=first))) is (first is None)
