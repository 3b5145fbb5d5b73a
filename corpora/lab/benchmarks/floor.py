"""The floor under a trial: the bare bodies of its tests, compiling its text, a fork of the process that runs them."""

from __future__ import annotations

import json
import statistics
import subprocess
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.facts import Digest
from analysis.trials import Trial
from corpora.lab.benchmarks.subject import Subject
from sandbox.run_folder import environment

SCRIPT = Path(__file__).with_name("floor_script.py")
_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Floor:
    """Milliseconds of CPU time a candidate, medians of the rounds.

    ``bare`` is the unpatched program, all tests passing. ``mutants`` are the candidates themselves, up to the first
    test that fails; ``failing`` are those among them that fail.
    """

    bare: float
    mutants: float
    failing: float
    compiling: float
    fork: float
    resident_mb: float


def floor_of(subject: Subject, trials: Sequence[Trial], failing: Collection[Digest], rounds: int) -> Floor:
    """Measure it in a process without isolation, in which nothing of ours but the measuring script runs."""
    sandbox = subject.sandbox
    with sandbox.place() as place:
        args = sandbox.arguments(place, subject.tests)
        folder = Path(place.folder)
        request = {
            "args": list(args),
            "path": f"{place.root}/{subject.path}",
            "qualname": trials[0].function.qualname,
            "texts": [trial.text.decode("latin-1") for trial in trials],
            "failing": [place for place, trial in enumerate(trials) if trial.digest in failing],
            "rounds": rounds,
            "seconds": _SECONDS,
        }
        (folder / "floor.json").write_text(json.dumps(request), encoding="utf-8")
        command = [sandbox.target.interpreter.python, str(SCRIPT), str(folder / "floor.json"), str(folder / "answer")]
        run = subprocess.run(
            command,
            cwd=place.root,
            env=dict(environment(sandbox.target, place)),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (folder / "answer").exists(), f"the floor of {subject.name} cannot be measured: {run.stdout[-2000:]}"
        answer = json.loads((folder / "answer").read_text(encoding="utf-8"))
    assert answer["status"] == 0, f"the floor of {subject.name} cannot be measured: {run.stdout[-2000:]}"

    def median(name: str) -> float:
        return statistics.median(float(each[name]) for each in answer["rounds"])

    return Floor(
        *(median("bare"), median("mutants"), median("failing"), median("compile"), median("fork")), answer["rss_mb"]
    )
