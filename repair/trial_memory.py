"""Outcomes of trials, kept across runs in one SQLite file that may be deleted at any time.

A *page* holds the outcomes of one world: the same program, tests, interpreter and settings. Pages are read as a
whole and written in batches; the pages that were used longest ago go first when there are too many rows. Whatever is
wrong with the file, a run goes on without it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from analysis.facts import Digest, TestId
from analysis.trials import TrialOutcome, TrialState
from repair.run_index import move_aside

VERSION = 1
MOST_ROWS = 300_000
BATCH = 2_000
PATIENCE = 2.0
"""Seconds to wait for another process that writes."""

LONGEST_DETAIL = 300
KEY_BYTES = 32

STABLE = frozenset({TrialState.PASSED, TrialState.FAILED, TrialState.INVALID})
"""What is the same each time. Time, memory and lost servers are not."""

_TABLES = """
    CREATE TABLE pages (id INTEGER PRIMARY KEY, world BLOB UNIQUE, used INTEGER);
    CREATE TABLE trials (page INTEGER, trial BLOB, state TEXT, failed TEXT, detail TEXT, PRIMARY KEY (page, trial))
        WITHOUT ROWID;
"""


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
        with self._database() as database:
            if database is not None:
                page = "SELECT id FROM pages WHERE world = ?"
                database.execute(f"DELETE FROM trials WHERE page IN ({page})", (world,))

    def write(self) -> None:
        """Put on disk what is new; where that fails, it is lost for later runs alone."""
        rows, self._unwritten = self._unwritten, []
        if not rows:
            return
        with self._database() as database:
            if database is not None:
                pages = {world: _page_id(database, world) for world in {row[0] for row in rows}}
                database.executemany(
                    "INSERT OR REPLACE INTO trials VALUES (?, ?, ?, ?, ?)",
                    [(pages[world], trial, *_columns(outcome)) for world, trial, outcome in rows],
                )

    def close(self) -> None:
        """Write what is left, and drop the pages that were used longest ago where there are too many rows."""
        self.write()
        if self._pages:
            with self._database() as database:
                if database is not None:
                    _trim(database)

    def _read(self, world: bytes) -> dict[bytes, TrialOutcome]:
        with self._database() as database:
            if database is not None:
                page = _page_id(database, world)
                rows = database.execute("SELECT trial, state, failed, detail FROM trials WHERE page = ?", (page,))
                return {trial: _outcome(*said) for trial, *said in rows}
        return {}

    @contextlib.contextmanager
    def _database(self) -> Iterator[sqlite3.Connection | None]:
        """A transaction, or ``None`` where the file cannot be used; a damaged file is put aside."""
        database: sqlite3.Connection | None = None
        try:
            database = None if self._path is None or self._path.is_symlink() else _opened(self._path)
        except sqlite3.OperationalError:
            pass  # busy, full, or may not be written: the file itself is sound
        except sqlite3.DatabaseError:
            self._damaged()
        try:
            yield database
            if database is not None:
                database.execute("COMMIT")
        except sqlite3.OperationalError:
            return
        except (sqlite3.DatabaseError, ValueError):
            self._damaged()
        finally:
            if database is not None:
                database.close()

    def _damaged(self) -> None:
        assert self._path is not None, "only a file can be damaged"
        with contextlib.suppress(OSError):
            aside = move_aside(self._path)
            self.warnings.append(f"the memory of earlier trials was damaged: it is now {aside.name}, and starts anew")


def memory_key(folder: Path) -> bytes:
    """The user's own secret that all digests are made with, made on first use; one for this process alone elsewhere.

    It lies outside every project, so that a memory that came with a project matches nothing.
    """
    path = folder / "memory.key"
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        fresh = folder / f".memory.key.{os.getpid()}.{secrets.token_hex(4)}"
        if not path.exists():
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with open(descriptor, "wb") as file:
                file.write(secrets.token_bytes(KEY_BYTES))
            with contextlib.suppress(FileExistsError):
                os.link(fresh, path)  # of several that come at once the first one counts
            fresh.unlink()
        key = path.read_bytes()
        if len(key) == KEY_BYTES:
            return key
    return secrets.token_bytes(KEY_BYTES)


def _opened(path: Path) -> sqlite3.Connection:
    """A connection in a transaction that may write."""
    database = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        with contextlib.suppress(sqlite3.OperationalError):  # some file systems have no shared memory
            if database.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
                database.execute("PRAGMA journal_mode = DELETE")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("BEGIN IMMEDIATE")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            for table in ("pages", "trials"):
                database.execute(f"DROP TABLE IF EXISTS {table}")
            for statement in _TABLES.split(";"):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:  # whatever it was: nothing stays open
        database.close()
        raise
    return database


def _page_id(database: sqlite3.Connection, world: bytes) -> int:
    """The number of the world's page, which is the one used last from now on."""
    database.execute("INSERT OR IGNORE INTO pages (world) VALUES (?)", (world,))
    latest = "SELECT coalesce(max(used), 0) + 1 FROM pages"
    database.execute(f"UPDATE pages SET used = ({latest}) WHERE world = ?", (world,))
    return int(database.execute("SELECT id FROM pages WHERE world = ?", (world,)).fetchone()[0])


def _trim(database: sqlite3.Connection) -> None:
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
