"""Verdicts of cold runs, kept one a line: a long comparison goes on where it was broken off.

A cold run is the reference: it does not depend on the engine. So a verdict holds for the same program, tests and
environment whatever revision of the engine is compared with it.
"""

from __future__ import annotations

import json
from pathlib import Path
from threading import Lock

from analysis.facts import Digest, digest
from corpora.lab.benchmarks.verdicts import Verdict, Word
from corpora.lab.benchmarks.work import Work

_COLD = "1"
"""Rises with every change of what a cold run is."""


class KeptVerdicts:
    """Verdicts by trial, in one file. Several threads may add."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._found = dict(_read(path)) if path.exists() else {}

    def get(self, trial: Digest) -> Verdict | None:
        """What is known of the trial."""
        return self._found.get(trial)

    def add(self, trial: Digest, verdict: Verdict) -> None:
        """Keep it, on disk at once."""
        with self._lock:
            self._found[trial] = verdict
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps([trial, verdict.word.value, verdict.test]) + "\n")


def kept_file(directory: Path, work: Work, python: str) -> Path:
    """Where verdicts of that work are kept. ``python`` is the interpreter's path, which names its packages too."""
    package = (str(work.package), work.package.sha256)
    key = digest(_COLD, *package, python, work.path, *work.tests)
    return directory / "cold" / f"{work.name}-{key[:16]}.jsonl"


def _read(path: Path) -> list[tuple[Digest, Verdict]]:
    """All whole lines. One that was torn when the writer was killed is run again."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            trial, word, test = json.loads(line)
            found.append((Digest(trial), Verdict(Word(word), test)))
        except ValueError:
            continue
    return found
