"""The soak: leaks are seen where there are some, and a short session and one kill leave nothing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from corpora.lab.benchmarks.kills import one_kill, set_up
from corpora.lab.benchmarks.leftovers import files_below, left_behind, processes_left
from corpora.lab.benchmarks.long_session import Sample, candidates, growth, long_session, slope
from sandbox.jail import choose


def samples(**grown):
    """Fifty samples in which these numbers grow by so much at each."""
    usual = {"engine_mb": 60.0, "server_mb": 40.0, "engine_descriptors": 9, "server_descriptors": 9}
    usual |= {"processes": 3, "files": 12}
    for n in range(50):
        yield Sample(n * 2000, **{k: v + n * grown.get(k, 0) for k, v in usual.items()})


def test_what_is_flat_is_no_leak():
    assert list(growth(tuple(samples()))) == []


@pytest.mark.parametrize("name", ["engine_mb", "server_mb", "engine_descriptors", "processes", "files"])
def test_what_grows_is_named(name):
    (problem,) = growth(tuple(samples(**{name: 1})))
    assert name in problem


def test_slope_is_per_candidate():
    assert slope(tuple(samples(engine_mb=1)), "engine_mb") == pytest.approx(1 / 2000)
    assert slope((next(samples()),), "engine_mb") == 0.0


def test_candidates_are_distinct():
    listed = list(candidates(500))
    assert len({trial.digest for trial in listed}) == 500
    assert len({trial.text for trial in listed}) == 500
    for trial in listed:
        compile(trial.text, "clamp.py", "exec")


def test_a_process_and_a_file_that_stay_are_found(tmp_path):
    (tmp_path / "kept").write_text("x")
    command = [sys.executable, "-c", "input()"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as child:
        found = left_behind(tmp_path, (), 0.0)
        assert any(words.startswith(f"process {child.pid}:") for words in found)
        assert "file kept" in found
        child.kill()
    assert processes_left(tmp_path, 5.0) == ()
    assert files_below(tmp_path) == ("kept",)


def test_a_short_session_leaves_nothing(tmp_path):
    session = long_session(400, tmp_path, choose("auto"), lambda words: None)
    assert session.problems == ()
    assert dict(session.states)["crashed"] > 0
    assert dict(session.states)["passed"] > 0


def test_a_killed_engine_leaves_nothing_that_the_next_run_does_not_remove(tmp_path):
    scene = set_up(tmp_path, choose("auto").kind, following="explain")
    kill = one_kill(scene, "engine", 2.0, "diagnosed")
    assert (kill.hit, kill.status, kill.problems) == (True, -9, ())
