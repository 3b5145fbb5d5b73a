import sys

import pytest

from corpora.lab.benchmarks import deadlines
from corpora.lab.benchmarks.deadlines import PATCH, PROJECTS, Ended, keep_busy, make_project, run_command, summarize
from repair.front.changes import change_of, reader


@pytest.mark.parametrize(
    ("late", "status", "held"), [(1.9, "plausible", True), (-3.0, "x", True), (2.1, "x", False), (0.0, "", False)]
)
def test_it_holds_where_the_command_ended_in_time_with_an_answer(late, status, held):
    assert Ended("small", "fix", 5.0, late, status).is_held == held


def test_the_share_of_each_command_and_the_latest_are_told():
    ended = [Ended("small", "fix", 1.0, 0.5, "x"), Ended("small", "fix", 1.0, 2.5, "x"), Ended("a", "check", 1, 0, "x")]
    found = summarize(ended)
    assert found.rows[0].values == (("check", 1.0), ("fix", 0.5))
    assert dict(found.numbers) == {"runs": 3.0, "held": 2.0, "latest_seconds": 2.5}


@pytest.mark.parametrize("name", sorted(PROJECTS))
def test_the_patch_applies_to_every_project(tmp_path, name):
    make_project(tmp_path / "p", PROJECTS[name])
    change = change_of(PATCH.encode(), reader(tmp_path / "p"))
    assert b"1024" in dict(change.after)["mod.py"]


def test_a_command_is_timed_from_outside(tmp_path, monkeypatch):
    make_project(tmp_path / "small", PROJECTS["small"])
    said = 'import time; time.sleep(0.3); print(\'{"status": "certified"}\')'
    done = deadlines.subprocess.run
    monkeypatch.setattr(deadlines.subprocess, "run", lambda words, **given: done([sys.executable, "-c", said], **given))
    ended = run_command(tmp_path, "small", ("fix",), 0.1)
    assert (ended.status, ended.command) == ("certified", "fix")
    assert ended.late >= 0.2


def test_the_loops_end_with_the_work():
    with keep_busy(1):
        pass
