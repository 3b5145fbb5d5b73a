"""Recorded verdicts that may be given again: which run rests on the same grounds.

Only runs that this user's engine has sealed count, and of them none that is old, or that a person has spoken against.
"""

from __future__ import annotations

import contextlib
import datetime
from dataclasses import replace

from analysis.errors import UsageError
from repair.records.result import Result, Seconds
from repair.store.store import RunStore
from repair.store.stored_run import REVIEW, UNDONE, StoredRun

GROUNDS = "grounds.json"
"""In a run: the digest of what its verdict rests on, and whether that may be given again."""

LONGEST_DAYS = 7
"""A recorded verdict is given again for so many days: the digest sees no clock, and tests may read one."""


def keep_grounds(run: StoredRun, grounds: str, *, again: bool) -> None:
    """Note in the run, with a seal, what its verdict rests on, and whether it may be given ``again``."""
    run.save_json(GROUNDS, {"grounds": grounds, "again": again})


def find_recorded(store: RunStore, grounds: str, now: datetime.datetime) -> Result | None:
    """The answer of the newest run on the same grounds; ``None`` where there is none that counts.

    Where the newest one may not be given again, neither is an older one. ``now`` is in UTC, as the ids of runs are.
    """
    oldest = f"{now - datetime.timedelta(days=LONGEST_DAYS):%Y%m%d-%H%M%S}"
    for run in store.stored_runs() if grounds and store.is_kept else ():
        if run.id < oldest:
            return None
        with contextlib.suppress(UsageError):  # damaged: as if it were not there
            noted = run.read_json(GROUNDS) if (run.path / GROUNDS).is_file() and not run.is_foreign else None
            if isinstance(noted, dict) and noted.get("grounds") == grounds:
                return _answer_of(run) if noted.get("again") is True else None
    return None


def _answer_of(run: StoredRun) -> Result | None:
    """What the run said, as an answer of now; ``None`` where a person has spoken against it."""
    if (run.path / REVIEW).exists() or (run.path / UNDONE).exists():
        return None
    result = run.result()
    if result is None or result.run != run.id:
        return None
    when = run.started
    said = f"as judged in run {run.id} on {when} (UTC); nothing that it rests on has changed (--no-cache judges anew)"
    return replace(result, recorded=run.id, messages=(*result.messages, said), seconds=Seconds(), cold_starts={})
