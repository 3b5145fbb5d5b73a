"""Outcomes of trials, kept across runs in one SQLite file that may be deleted at any time.

A *page* holds the outcomes of one world: the same program, tests, interpreter and settings. Pages are read as a
whole and written in batches; the pages that were used longest ago go first when there are too many rows. Whatever is
wrong with the file, a run goes on without it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from analysis.facts import Digest, TestId
from analysis.trials import TrialOutcome, TrialState
from repair.store.database import Database, TableLayout, move_aside, transaction

MOST_ROWS = 300_000
BATCH = 2_000
LONGEST_DETAIL = 300

STABLE = frozenset({TrialState.PASSED, TrialState.FAILED, TrialState.INVALID})
"""What is the same each time. Time, memory and lost servers are not."""

LAYOUT = TableLayout(
    (
        "CREATE TABLE pages (id INTEGER PRIMARY KEY, world BLOB UNIQUE, used INTEGER)",
        "CREATE TABLE trials (page INTEGER, trial BLOB, state TEXT, failed TEXT, detail TEXT,"
        " PRIMARY KEY (page, trial)) WITHOUT ROWID",
    ),
    version=1,
    patience=2.0,
    large=True,
)

T = TypeVar("T")


class TrialMemory:
    """Pages of outcomes; without a path for this process alone. For one thread; close it to write what is left.

    ``warnings`` are sentences for the user, such as that the file was damaged and is started anew.
    """

    def __init__(self, path: Path | None) -> None:
        self.warnings: list[str] = []
        self._path = path
        self._pages: dict[bytes, dict[bytes, TrialOutcome]] = {}
        self._unwritten: list[tuple[bytes, bytes, TrialOutcome]] = []

    def page(self, world: bytes) -> dict[bytes, TrialOutcome]:
        """What is known of that world, by trial. Write to it with ``keep``."""
        if world not in self._pages:
            self._pages[world] = self._read(world)
        return self._pages[world]

    def keep(self, world: bytes, trial: bytes, outcome: TrialOutcome) -> None:
        """Remember a stable outcome; others are passed over."""
        if outcome.state in STABLE:
            self.page(world)[trial] = outcome
            self._unwritten.append((world, trial, outcome))
            if len(self._unwritten) >= BATCH:
                self.write()

    def forget(self, world: bytes) -> None:
        """Know nothing of that world any more, on disk neither."""
        self._pages[world] = {}
        self._unwritten = [kept for kept in self._unwritten if kept[0] != world]
        self._transact(lambda database: _forget(database, world))

    def write(self) -> None:
        """Put on disk what is new; where that fails, it is lost for later runs alone."""
        rows, self._unwritten = self._unwritten, []
        if rows:
            self._transact(lambda database: _write(database, rows))

    def close(self) -> None:
        """Write what is left, and drop the pages that were used longest ago where there are too many rows."""
        self.write()
        if self._pages:
            self._transact(_trim)

    def _read(self, world: bytes) -> dict[bytes, TrialOutcome]:
        return self._transact(lambda database: _read(database, world)) or {}

    def _transact(self, work: Callable[[Database], T]) -> T | None:
        """What the work gives in a transaction of its own; ``None`` where the file cannot be used.

        A damaged file is put aside.
        """
        if self._path is None:
            return None
        try:
            with transaction(self._path, LAYOUT, self._put_aside) as database:
                return work(database)
        except (sqlite3.OperationalError, OSError):
            return None  # busy, full, or may not be written: the file itself is sound
        except (sqlite3.DatabaseError, ValueError):
            self._drop_damaged()
            return None

    def _drop_damaged(self) -> None:
        assert self._path is not None, "only a file can be damaged"
        with contextlib.suppress(OSError):
            self._put_aside(move_aside(self._path))

    def _put_aside(self, aside: Path) -> None:
        self.warnings.append(f"the memory of earlier trials was damaged: it is now {aside.name}, and starts anew")


def _forget(database: Database, world: bytes) -> None:
    page = "SELECT id FROM pages WHERE world = ?"
    database.execute(f"DELETE FROM trials WHERE page IN ({page})", (world,))


def _write(database: Database, rows: Sequence[tuple[bytes, bytes, TrialOutcome]]) -> None:
    pages = {world: _page_id(database, world) for world in {row[0] for row in rows}}
    database.executemany(
        "INSERT OR REPLACE INTO trials VALUES (?, ?, ?, ?, ?)",
        [(pages[world], trial, *_columns(outcome)) for world, trial, outcome in rows],
    )


def _read(database: Database, world: bytes) -> dict[bytes, TrialOutcome]:
    page = _page_id(database, world)
    rows = database.execute("SELECT trial, state, failed, detail FROM trials WHERE page = ?", (page,))
    return {trial: _outcome(*said) for trial, *said in rows}


def _page_id(database: Database, world: bytes) -> int:
    """The number of the world's page, which is the one used last from now on."""
    database.execute("INSERT OR IGNORE INTO pages (world) VALUES (?)", (world,))
    latest = "SELECT coalesce(max(used), 0) + 1 FROM pages"
    database.execute(f"UPDATE pages SET used = ({latest}) WHERE world = ?", (world,))
    return int(database.execute("SELECT id FROM pages WHERE world = ?", (world,)).fetchone()[0])


def _trim(database: Database) -> None:
    (rows,) = database.execute("SELECT count(*) FROM trials").fetchone()
    for (page,) in database.execute("SELECT id FROM pages ORDER BY used").fetchall():
        if rows <= MOST_ROWS:
            return
        rows -= database.execute("DELETE FROM trials WHERE page = ?", (page,)).rowcount
        database.execute("DELETE FROM pages WHERE id = ?", (page,))


def _columns(outcome: TrialOutcome) -> tuple[str, str | None, str]:
    return outcome.state.value, outcome.failed, outcome.detail[:LONGEST_DETAIL]


def _outcome(state: str, failed: str | None, detail: str) -> TrialOutcome:
    """A row as an outcome, still without its digest; ``ValueError`` for what was never written by us."""
    return TrialOutcome(Digest(""), TrialState(state), None if failed is None else TestId(str(failed)), str(detail))
