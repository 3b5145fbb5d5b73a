"""One run while it is written: events as they happen, candidates, certificate and result."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Mapping
from typing import Any

from analysis.facts import Files
from repair.records.events import Event
from repair.records.result import Result, Status
from repair.store.run_index import RunIndex, put_rows
from repair.store.stored_run import StoredRun


class RunRecord:
    """One run while it is written; close it when the run ends."""

    def __init__(self, run: StoredRun, index: RunIndex, clock: Callable[[], float]) -> None:
        self.run = run
        self._index = index
        self._clock = clock
        self._start = clock()
        self._refused = False
        self._descriptor = os.open(run.path / "events.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    @property
    def id(self) -> str:
        """The run's id."""
        return self.run.id

    def append(self, event: Event) -> None:
        """Write one event, with the seconds since the start as ``at``, so that it survives a crash of ours.

        Where the disk refuses it is lost, and not the run.
        """
        values = {"at": round(self._clock() - self._start, 3), **event.to_json()}
        rest = memoryview(json.dumps(values).encode() + b"\n")
        try:
            while rest and not self._refused:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            self._refused = True  # a line behind a torn one could not be read

    def save_candidate(self, digest: str, diff: str, files: Files = ()) -> None:
        """Keep a candidate's diff, and its whole files where it may be applied later."""
        folder = self.run.path / "candidates"
        folder.mkdir(exist_ok=True)
        (folder / f"{digest}.diff").write_bytes(diff.encode("utf-8", "surrogateescape"))
        for _, content in files:
            self.run.save_content(content)

    def save_certificate(self, values: Mapping[str, Any]) -> None:
        """Write the certificate."""
        self.run.save_json("certificate.json", values)

    def save_result(self, result: Result) -> None:
        """Write the result and list the run under its status."""
        self.run.save_json("result.json", result.to_json())
        put_rows(self._index, (self.run.row(),))

    def close(self) -> None:
        """End the record; a run that has no result by then was broken off."""
        os.close(self._descriptor)
        if not (self.run.path / "result.json").exists():
            with contextlib.suppress(OSError):
                self.save_result(Result(Status.INTERRUPTED, self.id, messages=("The run was broken off.",)))
