"""The bench as steps: each has its own failure and its own record, so that a run that was broken off can go on."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import RepairError
from corpora.lab.benchmarks.figures import Measured, measured_from_json, measured_to_json
from corpora.lab.benchmarks.setup import Setup

_ROOMS = ("analysis", "transforms", "sandbox", "repair", "corpora")


@dataclass(frozen=True, slots=True)
class Step:
    """One part of the bench, or one library of a part: ``part`` or ``part/library``."""

    name: str
    measure: Callable[[Setup], Measured]

    def is_asked(self, names: Sequence[str]) -> bool:
        """Whether one of the names is this step's, or that of what it belongs to. No names ask for all."""
        return not names or any(self.name == name or self.name.startswith(f"{name}/") for name in names)


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a step. ``problem`` says why it has no figures; empty where it has them."""

    name: str
    measured: Measured
    seconds: float = 0.0
    load: float = 0.0
    """The machine's, when it began."""
    began: str = ""
    problem: str = ""


class StepRecords:
    """Steps that are done, one file each. ``run`` names what they were measured with: others' are not taken over."""

    def __init__(self, directory: Path, run: str) -> None:
        self._directory = directory
        self._run = run

    def get(self, name: str) -> Done | None:
        """The step as it was done, where that was the same run."""
        try:
            kept = json.loads(self._path(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if kept.pop("run") != self._run:
            return None
        return Done(**{**kept, "measured": measured_from_json(kept["measured"])})

    def keep(self, done: Done) -> None:
        """Write it down."""
        kept: dict[str, Any] = {"run": self._run, "name": done.name, "measured": measured_to_json(done.measured)}
        kept |= {"seconds": done.seconds, "load": done.load, "began": done.began}
        self._directory.mkdir(parents=True, exist_ok=True)
        self._path(done.name).write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")

    def forget(self) -> None:
        """Begin anew."""
        for path in self._directory.glob("*.json"):
            path.unlink()

    def _path(self, name: str) -> Path:
        return self._directory / f"{name.replace('/', '-')}.json"


def measure(steps: Sequence[Step], setup: Setup, records: StepRecords) -> list[Done]:
    """All steps in order; none begins after the time is over. One that fails leaves the others their figures."""
    return [records.get(step.name) or _measure_step(step, setup, records) for step in steps]


def _measure_step(step: Step, setup: Setup, records: StepRecords) -> Done:
    if time.monotonic() >= setup.until:
        return Done(step.name, Measured(), problem="the time was over; --resume goes on")
    setup.say(f"== {step.name}")
    load, began = os.getloadavg()[0], time.monotonic()
    date = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    try:
        measured, problem = step.measure(setup), ""
    except (RepairError, OSError, AssertionError) as failure:
        measured, problem = Measured(), f"{type(failure).__name__}: {' '.join(str(failure).split())[:500]}"
        setup.say(problem)
    done = Done(step.name, measured, round(time.monotonic() - began, 1), round(load, 1), date, problem)
    if not problem:
        records.keep(done)
    return done


def engine_digest(root: Path) -> str:
    """Names the engine's code, committed or not."""
    state = hashlib.sha256()
    for room in _ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            state.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
    return state.hexdigest()[:16]
