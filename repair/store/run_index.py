"""The list of runs in SQLite: a cache over the run directories, thrown away and rebuilt when it is damaged."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from repair.store.database import TableLayout, move_aside, transaction

UNFINISHED = "unfinished"
DAMAGED = "damaged"
FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run in a list; ``applied`` is 1 while its patch is applied.

    ``status`` is a word of a result, or one of three others:

    - ``unfinished``: no result was written;
    - ``damaged``: the result cannot be read;
    - ``foreign``: this user's engine did not record the run.
    """

    id: str
    started: str
    status: str
    function: str
    test: str
    seconds: float
    applied: int


LAYOUT = TableLayout(
    (
        "CREATE TABLE runs (id TEXT PRIMARY KEY, started TEXT, status TEXT, function TEXT, test TEXT, seconds REAL,"
        " applied INTEGER)",
    ),
    version=1,
)


class RunIndex:
    """Rows by run id in one SQLite file, safe for several processes."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def rows(self) -> tuple[RunRow, ...]:
        """All rows, newest first; none where they cannot be ours, and the file is put aside then."""
        with transaction(self._path, LAYOUT) as database:
            found = database.execute("SELECT * FROM runs ORDER BY id DESC").fetchall()
        try:
            return tuple(
                RunRow(str(run), str(started), str(status), str(function), str(test), float(seconds), int(applied))
                for run, started, status, function, test, seconds, applied in found
            )
        except (ValueError, TypeError):
            move_aside(self._path)
            return ()

    def update(self, rows: Sequence[RunRow], gone: Sequence[str] = ()) -> None:
        """Insert or replace the rows and forget the runs that are gone, as far as the list can be written."""
        # Where it is busy, full or damaged, the next list puts right what is missing.
        with contextlib.suppress(sqlite3.Error, OSError), transaction(self._path, LAYOUT) as database:
            database.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", [astuple(r) for r in rows])
            database.executemany("DELETE FROM runs WHERE id = ?", [(run,) for run in gone])
