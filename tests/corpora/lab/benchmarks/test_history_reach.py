"""The bench of what a history earns: a fix that repeats an earlier one is reached, and only by what came before it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from corpora.lab.benchmarks.history_reach import reach_figures, siblings_figures, twin_figures, walk_forward
from corpora.lab.benchmarks.unreached import unreached_figures, why_unreached

SHOP = """\
LIMIT = 3


def one(items, size):
    return items[len(items)] if size < len(items) - 1 else None


def two(rows, width):
    return rows[len(rows)] if width < len(rows) - 1 else None


def last(things):
    return things
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    def git(*words: str) -> None:
        named = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
        subprocess.run(["git", "-C", str(tmp_path), *named, *words], check=True, capture_output=True)

    git("init", "--quiet")
    first = SHOP.replace("items[len(items)]", "items[len(items) - 1]")
    texts = (("Begin", SHOP), ("Fix one", first), ("Fix two", first.replace("rows[len(rows)]", "rows[len(rows) - 1]")))
    for subject, text in texts:
        (tmp_path / "shop.py").write_text(text)
        git("add", "--all")
        git("commit", "--quiet", "--message", subject)
    return tmp_path


def test_only_earlier_commits_teach(project: Path) -> None:
    (_, nothing), (_, first) = walk_forward(project, 10)
    assert not nothing.templates
    assert [each.before for each in first.templates] == ["hole_name_1[len(hole_name_1)]"]


def test_a_fix_that_repeats_an_earlier_one_is_reached(project: Path) -> None:
    (found,) = reach_figures([project], 10).values()
    assert (found["fixes"], found["templates"]) == (2, 1)
    assert found["control"] == 0


def test_twins_and_siblings_are_planted_and_found(project: Path) -> None:
    twins = twin_figures([project], 1)
    assert (twins["pairs"], twins["memory_does_not_reach"]) == (1, 0)
    assert twins["median_with_memory"] <= twins["median_alone"]
    assert siblings_figures([project], 1) == {"flaws": 1, "planted": 1, "recall": 1.0, "precision": 1.0}


def test_older_fixes_say_why_they_are_not_reached(project: Path) -> None:
    assert unreached_figures([project], 10, 0)[project.name]["reached"] == 1
    (older,) = [walk_forward(project, 10, 1)]
    assert len(older) == 1
    assert why_unreached(*older[0]) == "no template fits"
