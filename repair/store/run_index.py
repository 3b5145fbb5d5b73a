"""The index of runs and of their error reports in SQLite: a cache over the run directories, which can be made anew.

A file that is damaged or not ours is put aside, and never deleted.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from repair.store.database import Database, TableLayout, transaction
from repair.store.error_reports import ErrorReport
from repair.store.run_query import RunQuery

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


@dataclass(frozen=True, slots=True)
class IndexedRun:
    """What the index says of a run without its row: see ``IndexEntry``."""

    stamp: int
    size: int
    status: str


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What the index holds of one run, with its error reports.

    ``stamp`` is when the run's folder changed last, in nanoseconds: where that is another one now, the entry is out of
    date. ``size`` is what the folder takes, in bytes.
    """

    row: RunRow
    stamp: int
    size: int
    reports: tuple[ErrorReport, ...] = ()

    @property
    def known(self) -> IndexedRun:
        """What tells whether the index has to be written anew."""
        return IndexedRun(self.stamp, self.size, self.row.status)


@dataclass(frozen=True, slots=True)
class Found:
    """The first of what was looked for, and how many there are in all."""

    runs: tuple[RunRow, ...] = ()
    reports: tuple[ErrorReport, ...] = ()
    count: int = 0


LAYOUT = TableLayout(
    (
        "CREATE TABLE runs (id TEXT PRIMARY KEY, started TEXT, status TEXT, function TEXT, test TEXT, seconds REAL,"
        " applied INTEGER)",
    ),
    (
        (
            "ALTER TABLE runs ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE runs ADD COLUMN size INTEGER NOT NULL DEFAULT 0",
            "CREATE TABLE errors (run TEXT, number INTEGER, test TEXT, exception TEXT, message TEXT, class TEXT,"
            " subclass TEXT, file TEXT, function TEXT, line INTEGER, root_cause TEXT, category TEXT, explanation TEXT,"
            " reasoning TEXT, attempts INTEGER, cause INTEGER, outcome TEXT, PRIMARY KEY (run, number)) WITHOUT ROWID",
        ),
    ),
    large=True,
)

RUN_COLUMNS = "id, started, status, function, test, seconds, applied"
PLACES = "?, ?, ?, ?, ?, ?, ?, ?, ?"
REPORT_PLACES = ", ".join("?" * 17)


class RunIndex:
    """Entries by run id in one SQLite file, safe for several processes.

    What reads raises ``sqlite3.Error`` or ``OSError`` where the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def rows(self) -> tuple[RunRow, ...]:
        """All rows, newest first."""
        return self.find_runs(RunQuery()).runs

    def known(self) -> dict[str, IndexedRun]:
        """What it holds of each run."""
        with self._read() as database:
            rows = database.execute("SELECT id, stamp, size, status FROM runs").fetchall()
            return {str(run): IndexedRun(int(stamp), int(size), str(status)) for run, stamp, size, status in rows}

    def find_runs(self, query: RunQuery, most: int | None = None) -> Found:
        """The newest runs that the query means: those of which it holds for a report, or that have none."""
        joined = f"SELECT runs.id FROM runs LEFT JOIN errors ON errors.run = runs.id WHERE {query.condition}"
        where = f"WHERE id IN ({joined})"
        with self._read() as database:
            rows = database.execute(
                f"SELECT {RUN_COLUMNS} FROM runs {where} ORDER BY id DESC LIMIT ?", (*query.values, _limit(most))
            ).fetchall()
            (count,) = database.execute(f"SELECT count(*) FROM runs {where}", query.values).fetchone()
            found = (
                RunRow(str(run), str(started), str(status), str(function), str(test), float(seconds), int(applied))
                for run, started, status, function, test, seconds, applied in rows
            )
            return Found(tuple(found), count=count)

    def find_reports(self, query: RunQuery, most: int | None = None) -> Found:
        """The error reports that the query means, those of the newest runs first."""
        joined = f"FROM runs JOIN errors ON errors.run = runs.id WHERE {query.condition}"
        with self._read() as database:
            rows = database.execute(
                f"SELECT errors.* {joined} ORDER BY errors.run DESC, errors.number LIMIT ?",
                (*query.values, _limit(most)),
            ).fetchall()
            (count,) = database.execute(f"SELECT count(*) {joined}", query.values).fetchone()
            return Found(reports=tuple(map(_report_of, rows)), count=count)

    @contextlib.contextmanager
    def _read(self) -> Iterator[Database]:
        """The database; what it holds that cannot be ours is damage: it is put aside, and ``sqlite3.Error`` raised."""
        with transaction(self._path, LAYOUT) as database:
            try:
                yield database
            except (ValueError, TypeError) as problem:
                raise sqlite3.DatabaseError("its values are not ours") from problem

    def update(self, entries: Sequence[IndexEntry], gone: Sequence[str] = ()) -> bool:
        """Insert or replace the entries and forget the runs that are gone; whether the index could be written."""
        # Where it is busy, full or damaged, the next list puts right what is missing.
        with contextlib.suppress(sqlite3.Error, OSError), transaction(self._path, LAYOUT) as database:
            out = [(run,) for run in (*gone, *(entry.row.id for entry in entries))]
            database.executemany("DELETE FROM errors WHERE run = ?", out)
            database.executemany("DELETE FROM runs WHERE id = ?", out)
            rows = [(*_storable(astuple(entry.row)), entry.stamp, entry.size) for entry in entries]
            database.executemany(f"INSERT INTO runs VALUES ({PLACES})", rows)
            reports = [_storable(astuple(report)) for entry in entries for report in entry.reports]
            database.executemany(f"INSERT INTO errors VALUES ({REPORT_PLACES})", reports)
            return True
        return False


def _storable(values: Sequence[Any]) -> tuple[Any, ...]:
    """The values without halves of characters, which a name of a file may have and SQLite does not take."""
    return tuple(v.encode("utf-8", "replace").decode() if isinstance(v, str) else v for v in values)


def _limit(most: int | None) -> int:
    return -1 if most is None else most


WHOLE_NUMBERS = frozenset(place for place, each in enumerate(fields(ErrorReport)) if each.type == "int")


def _report_of(values: Sequence[Any]) -> ErrorReport:
    made: list[Any] = [int(value) if place in WHOLE_NUMBERS else str(value) for place, value in enumerate(values)]
    return ErrorReport(*made)
