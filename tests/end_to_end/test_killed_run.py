"""A run that is killed, at chosen moments of each of its phases and at random ones.

The engine alone is killed, as by ``kill -9``. What it had started is gone within seconds, the project is as it was, the
record says that the run came to no end, and the next run works at once and deletes what was passing. Each next run is
killed as well, but for the last, which ends as an undisturbed one does.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fakes.bare import BARE

from corpora.lab.benchmarks.kills import set_up
from corpora.lab.benchmarks.leftovers import left_behind, processes_left

TEST = "test_mid.py::test_middle"

SECONDS = 10.0
"""What was started by a killed engine is gone by then; on a quiet machine it takes far less than one."""

START = (0.1, 0.3, 0.6, 1.0)
"""Moments before anything is told, in seconds after the start."""

PHASES = (
    *({"type": "phase", "name": "opening"}, {"type": "run_started"}, {"type": "phase", "name": "baseline"}),
    *({"type": "suspects"}, {"type": "plan"}, {"type": "phase", "name": "search"}, {"type": "baseline"}),
    *({"type": "found"}, {"type": "phase", "name": "gates"}),
)
GATES = ("shape", "fixes", "regressions", "controls", "coverage", "stability", "mutation", "behaviour", "cost")

FEW = (0.3, PHASES[5], {"type": "evidence", "gate": "controls"})
ALL = (*START, *PHASES, *({"type": "evidence", "gate": gate} for gate in GATES), {"type": "patch"})

Moment = float | dict[str, str]


@dataclass(frozen=True)
class Place:
    """A project with a fault, and folders of its own for what is passing and for the records."""

    folder: Path
    root: Path
    isolation: dict[str, str]

    @property
    def passing(self) -> Path:
        return self.folder / "tmp"

    def start(self, *words: str) -> subprocess.Popen[str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPAIR_", "PYTHON", "PYTEST_"))}
        own = {"TMPDIR": str(self.passing), "HOME": str(self.folder), "XDG_STATE_HOME": str(self.folder / "state")}
        return subprocess.Popen(
            [str(Path(sys.executable).with_name("repair")), *words, "--root", str(self.root)],
            env={**kept, **BARE, "REPAIR_PASS_ENV": " ".join(BARE), **self.isolation, **own},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def fix(self) -> subprocess.Popen[str]:
        return self.start("fix", TEST, "--max-candidates", "200", "--no-cache", "--output-format", "jsonl")

    def listed(self) -> list[dict[str, Any]]:
        said, err = (listing := self.start("runs", "--json")).communicate(timeout=120)
        assert listing.returncode == 0, err
        runs: list[dict[str, Any]] = json.loads(said)["runs"]
        return runs

    def tree(self) -> dict[str, bytes]:
        found = {str(path.relative_to(self.root)): path for path in self.root.rglob("*") if path.is_file()}
        return {name: path.read_bytes() for name, path in found.items() if not name.startswith(".repair/")}


@pytest.fixture
def place(tmp_path, accepted_risk) -> Place:
    return Place(tmp_path, set_up(tmp_path, "auto").root, accepted_risk)


def killed(place: Place, moment: Moment, delay: float) -> int:
    """A run that is killed at the moment, and the delay later; its process id."""
    run = place.fix()
    if isinstance(moment, float):
        time.sleep(moment)
    else:
        assert run.stdout is not None, "opened with a pipe"
        for line in run.stdout:
            told = json.loads(line)
            assert "schema" not in told, f"the run was over before {moment}: {told['status']}"
            if moment.items() <= told.items():
                break
    time.sleep(delay)
    run.send_signal(signal.SIGKILL)
    run.communicate(timeout=60)
    assert run.returncode == -signal.SIGKILL
    return run.pid


def last_run(place: Place, engines: list[int]) -> str:
    """The word of a run that nobody disturbs; nothing is left behind then, of it or of the killed ones."""
    run = place.fix()
    said, err = run.communicate(timeout=300)
    lines = [json.loads(line) for line in said.splitlines()]
    assert lines, err
    assert left_behind(place.passing, [*engines, run.pid], SECONDS) == ()
    return str(lines[-1]["status"])


def kill_at(place: Place, moments: tuple[Moment, ...]) -> None:
    chance, before = random.Random(23), place.tree()
    usual = last_run(place, [])
    assert usual == "plausible"
    engines, known, left = [], len(place.listed()), set()
    for moment in moments:
        engines.append(killed(place, moment, chance.uniform(0.0, 0.2)))
        assert processes_left(place.passing, SECONDS) == (), moment
        assert place.tree() == before, moment
        runs = place.listed()
        fresh, known = len(runs) - known, len(runs)
        assert fresh in ((0, 1) if isinstance(moment, float) or moment == PHASES[0] else (1,)), moment
        assert not fresh or runs[0]["status"] in ("unfinished", "interrupted"), (moment, runs[0])
        assert not fresh or not left & set(place.passing.iterdir()), "what killed runs before this one left"
        left = set(place.passing.iterdir())
    assert last_run(place, engines) == usual
    assert place.tree() == before


def test_a_killed_run_leaves_nothing_and_the_next_one_works(place):
    kill_at(place, FEW)


@pytest.mark.lab
def test_a_run_that_is_killed_at_many_moments_leaves_nothing(place):
    assert len(ALL) >= 20
    kill_at(place, ALL)
