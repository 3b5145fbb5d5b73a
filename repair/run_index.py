"""The list of runs in SQLite: a cache over the run directories, thrown away and rebuilt when it is damaged."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

VERSION = 1
UNFINISHED = "unfinished"
DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run in a list.

    ``status`` is a result word, ``unfinished`` where no result was written, ``damaged`` where it cannot be read;
    ``applied`` is 1 while its patch is applied.
    """

    id: str
    started: str
    status: str
    function: str
    test: str
    seconds: float
    applied: int


class RunIndex:
    """Rows by run id in one SQLite file, safe for several processes.

    Every transaction starts with ``BEGIN IMMEDIATE``: a deferred one that reads before it writes fails at once when
    another process wrote in between, whatever the busy timeout says. A file that is no database is moved aside.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def rows(self) -> tuple[RunRow, ...]:
        """All rows, newest first."""
        with self._transaction() as database:
            found = database.execute("SELECT * FROM runs ORDER BY id DESC").fetchall()
        return tuple(RunRow(*values) for values in found)

    def update(self, rows: Sequence[RunRow], gone: Sequence[str] = ()) -> None:
        """Insert or replace the rows, forget the runs that are gone."""
        with self._transaction() as database:
            database.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", [astuple(r) for r in rows])
            database.executemany("DELETE FROM runs WHERE id = ?", [(run,) for run in gone])

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        database = self._open()
        try:
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.execute("COMMIT")
        finally:
            database.close()

    def _open(self) -> sqlite3.Connection:
        try:
            return _connect(self._path)
        except sqlite3.OperationalError:
            raise  # locked, or the disk refuses: nothing is wrong with the file itself
        except sqlite3.DatabaseError:
            move_aside(self._path)
            return _connect(self._path)


def move_aside(path: Path) -> Path:
    """Rename a damaged database, with what belongs to it; its new name."""
    number = 1
    while (aside := path.with_name(f"{path.name}.corrupt-{number}")).exists():
        number += 1
    path.rename(aside)
    for more in ("-wal", "-shm"):
        path.with_name(path.name + more).unlink(missing_ok=True)
    return aside


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=10, isolation_level=None)
    try:
        database.execute("BEGIN IMMEDIATE")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        damage = [] if version == VERSION else [("version",)]
        if not damage:
            damage = [row for row in database.execute("PRAGMA quick_check(1)").fetchall() if row != ("ok",)]
        if damage and version == VERSION:
            raise sqlite3.DatabaseError(damage[0][0])
        if damage:
            database.execute("DROP TABLE IF EXISTS runs")
            database.execute(
                "CREATE TABLE runs (id TEXT PRIMARY KEY, started TEXT, status TEXT, function TEXT, test TEXT,"
                " seconds REAL, applied INTEGER)"
            )
            database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("COMMIT")
    except BaseException:  # whatever it was: nothing stays open
        database.close()
        raise
    return database
