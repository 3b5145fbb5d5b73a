"""The tests that failed last, as pytest's cache has them."""

from __future__ import annotations

import json
from pathlib import Path

from analysis.errors import UsageError
from analysis.facts import TestId

LASTFAILED = Path(".pytest_cache/v/cache/lastfailed")


def read_last_failed(root: Path) -> tuple[TestId, ...]:
    """The tests of pytest's last-failed list."""
    path = root / LASTFAILED
    try:
        listed = json.loads(path.read_bytes())
    except FileNotFoundError as problem:
        raise UsageError(
            "There is no last-failed list", where=str(path), remedy="Run pytest once, or give node ids."
        ) from problem
    except (OSError, ValueError, RecursionError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise UsageError(
            f"The last-failed list cannot be read: {why}", where=str(path), remedy="Run pytest once, or give node ids."
        ) from problem
    if not isinstance(listed, dict) or not listed:
        raise UsageError("The last-failed list is empty", where=str(path), remedy="Give node ids, or none for all.")
    return tuple(TestId(str(name)) for name in listed)
