"""Trials that were handed out and have no outcome yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis.facts import Digest
from analysis.trials import Trial


class UnderWay:
    """Which trials an outcome may belong to. Two trials may share a digest: each of them gets an outcome."""

    def __init__(self) -> None:
        self._trials: dict[Digest, list[Trial]] = {}

    def begin(self, trial: Trial) -> None:
        """The trial is handed out."""
        self._trials.setdefault(trial.digest, []).append(trial)

    def begin_all(self, trials: Iterable[Trial]) -> Iterator[Trial]:
        """The trials, each of which begins when it is drawn."""
        for trial in trials:
            self.begin(trial)
            yield trial

    def end(self, digest: Digest) -> Trial:
        """The trial that an outcome with this digest belongs to, the first that began."""
        waiting = self._trials[digest]
        trial = waiting.pop(0)
        if not waiting:
            del self._trials[digest]
        return trial

    @property
    def unfinished(self) -> tuple[Trial, ...]:
        """Those without an outcome, in the order in which they began."""
        return tuple(trial for waiting in self._trials.values() for trial in waiting)
