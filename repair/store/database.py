"""Our SQLite files, opened with exactly our tables or not at all.

They are caches: whatever is wrong with one, it is put aside and made anew. Two things are looked at before one is
opened. A database from elsewhere may hold views and triggers that never end. SQLite deletes whatever file a journal
beside it names.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

LONGEST_SECONDS = 20.0
"""A statement over our own small tables that takes longer is ended."""

STEPS = 10_000
"""Instructions of SQLite between two looks at the clock, and at signals."""

Database = sqlite3.Connection

_SUPER_JOURNAL = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
"""The last bytes of a rollback journal that names another file, which SQLite deletes. Ours never do."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The statements that make the tables of version 1, and for each later version those that lead to it.

    ``patience`` is how long to wait for other processes, in seconds.
    """

    tables: tuple[str, ...]
    migrations: tuple[tuple[str, ...], ...] = ()
    patience: float = 10.0
    large: bool = False
    """Large ones are kept in WAL mode, and not read as a whole to see whether they are damaged."""

    @property
    def version(self) -> int:
        """The version that we write."""
        return 1 + len(self.migrations)


@contextlib.contextmanager
def transaction(
    path: Path, layout: TableLayout, put_aside: Callable[[Path], None] = lambda aside: None
) -> Iterator[Database]:
    """The database within a transaction that may write. One that is not ours, or damaged, is put aside and made anew.

    ``put_aside`` is told its new name. Raises ``sqlite3.OperationalError`` where it is busy, the disk refuses, or a
    link stands in its place. For damage that only shows later it raises ``sqlite3.DatabaseError``, and the next one
    finds a new file.
    """
    heard: list[BaseException] = []
    try:
        with contextlib.closing(_open_ours(path, layout, heard, put_aside)) as database:
            yield database
            database.execute("COMMIT")
    except sqlite3.OperationalError as problem:
        if heard:  # what a signal raised while SQLite was at work, which would be swallowed there
            raise heard[0] from problem
        raise
    except sqlite3.DatabaseError as problem:
        if type(problem) is sqlite3.DatabaseError:  # what is damaged; other classes are mistakes of ours
            put_aside(move_aside(path))
        raise


def watch(database: Database, heard: list[BaseException]) -> None:
    """End what takes too long, and what a signal wants to end: what its handler raised is then in ``heard``."""
    database.set_progress_handler(_watcher(time.monotonic() + LONGEST_SECONDS, heard).__next__, STEPS)


def _watcher(end: float, heard: list[BaseException]) -> Iterator[bool]:
    """Whether to stop, each time that it is asked. A generator, since Python runs handlers of signals where its code is
    resumed: here that is within the ``try``."""
    while True:
        try:
            yield bool(heard) or time.monotonic() > end
        except GeneratorExit:
            raise
        except BaseException as problem:  # noqa: BLE001 - whatever a signal raises is raised again outside of SQLite
            heard.append(problem)


def _open_ours(
    path: Path, layout: TableLayout, heard: list[BaseException], put_aside: Callable[[Path], None]
) -> Database:
    try:
        return _open(path, layout, heard)
    except sqlite3.OperationalError:
        raise  # locked, or the disk refuses: nothing is wrong with the file itself
    except sqlite3.DatabaseError:
        put_aside(move_aside(path))
        return _open(path, layout, heard)


def move_aside(path: Path) -> Path:
    """Rename a database that cannot be used, and delete what belongs to it; its new name, which no other file had."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.corrupt-{number}")):
        number += 1
    with contextlib.suppress(FileNotFoundError):  # another process was first
        path.rename(aside)
    for beside in _files_beside(path):
        beside.unlink(missing_ok=True)
    return aside


def _open(path: Path, layout: TableLayout, heard: list[BaseException]) -> Database:
    _refuse_what_is_not_ours(path)
    database = sqlite3.connect(path, timeout=layout.patience, isolation_level=None)
    try:
        watch(database, heard)
        database.execute("PRAGMA trusted_schema = OFF")
        if layout.large:
            with contextlib.suppress(sqlite3.OperationalError):  # some file systems have no shared memory
                if database.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
                    database.execute("PRAGMA journal_mode = DELETE")
            database.execute("PRAGMA synchronous = NORMAL")
        database.execute("BEGIN IMMEDIATE")  # one that reads first fails at once where another process wrote meanwhile
        (version,) = database.execute("PRAGMA user_version").fetchone()
        found = _schema(database)
        if not found and version == 0:
            _make(database, layout, layout.version)
        elif version > layout.version:
            raise sqlite3.OperationalError("a newer version of ours made it")
        elif version < 1 or found != _expected_schema(layout, version):
            raise sqlite3.DatabaseError("its tables are not ours")
        elif version < layout.version:
            _migrate(database, layout, version, layout.version)
        elif not layout.large and database.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
            raise sqlite3.DatabaseError("it is damaged")
    except BaseException:  # whatever it was: nothing stays open
        database.close()
        raise
    return database


def _make(database: Database, layout: TableLayout, version: int) -> None:
    for statement in layout.tables:
        database.execute(statement)
    _migrate(database, layout, 1, version)


def _migrate(database: Database, layout: TableLayout, old: int, new: int) -> None:
    """From one version to a later one, step by step: a file that is new takes the same steps."""
    for statements in layout.migrations[old - 1 : new - 1]:
        for statement in statements:
            database.execute(statement)
    database.execute(f"PRAGMA user_version = {int(new)}")


def _expected_schema(layout: TableLayout, version: int) -> Sequence[tuple[str, ...]]:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        _make(model, layout, version)
        return _schema(model)


def _schema(database: Database) -> Sequence[tuple[str, ...]]:
    """Everything that the database is made of: tables, indices, views, triggers."""
    return database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()


def _refuse_what_is_not_ours(path: Path) -> None:
    """Raise where something is no plain file, such as a link, or a journal names a file that SQLite would delete."""
    for each in (path, *_files_beside(path)):
        if os.path.lexists(each) and (each.is_symlink() or not each.is_file()):
            raise sqlite3.OperationalError(f"{each.name} is no plain file")
    with contextlib.suppress(FileNotFoundError), path.with_name(f"{path.name}-journal").open("rb") as journal:
        journal.seek(max(0, journal.seek(0, os.SEEK_END) - len(_SUPER_JOURNAL)))
        if journal.read() == _SUPER_JOURNAL:
            path.touch()  # so that it can be put aside, with its journal
            raise sqlite3.DatabaseError("its journal is not ours")


def _files_beside(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + end) for end in ("-journal", "-wal", "-shm"))
