"""The oldest runs of a project are deleted where there are too many of them, or where they are too large."""

from __future__ import annotations

import contextlib
import datetime
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from repair.store.stored_run import StoredRun

MOST_RUNS = 200
MOST_BYTES = 200 << 20
"""What one project's runs may take; the oldest go first."""

UNDER_WAY_SECONDS = 86_400.0
"""A younger run without a result may still be under way."""


def prune(runs: Sequence[StoredRun], most_runs: int = MOST_RUNS, most_bytes: int = MOST_BYTES) -> None:
    """Delete the oldest of our runs, given newest first, until the rest is few and small enough.

    The newest stays, what is applied, and what may still be under way.
    """
    left, size = 0, 0
    for number, run in enumerate(run for run in runs if not run.is_foreign):
        more = _bytes_of(run.path)
        if number and (left >= most_runs or size + more > most_bytes) and not _is_in_use(run):
            _delete(run.path)
        else:
            left, size = left + 1, size + more


def _is_in_use(run: StoredRun) -> bool:
    """Whether its patch can be undone, or the run may still be under way."""
    try:
        young = datetime.datetime.now().timestamp() - run.path.stat().st_mtime < UNDER_WAY_SECONDS
    except OSError:
        return True
    return run.is_applied or (young and not (run.path / "result.json").exists())


def _delete(folder: Path) -> None:
    """Delete a run; half deleted it is no run any more."""
    gone = folder.with_name(f".gone-{folder.name}")
    with contextlib.suppress(OSError):
        folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def _bytes_of(folder: Path) -> int:
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_size
    return size
