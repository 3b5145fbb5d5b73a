"""Data files of coverage.py, read and written: which lines each test ran, a context for each test.

A data file is SQLite, and one that lies in a repository was written by a stranger. So a bounded copy of it is read,
without its journals, and only where it holds coverage's tables and nothing else. Rows are read by our own plain
statements, within bounds, and no view, trigger or expression of the file is ever run.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence, Set, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from analysis.facts import ArcMap, Arcs, LineMap, TestId
from analysis.lines import Lines, LineSets, MalformedLines
from repair.store.atomic import replace_file
from repair.store.database import Database, watch
from sandbox.scratch import passing_folder

SCHEMA = 7
"""The version of coverage's tables that is read: that of every release since 5.0."""

MOST_BYTES = 1 << 30
"""A larger data file is not read."""

MOST_ROWS = 2_000_000
"""So many rows of one table are read: sets of lines, or arcs."""

MOST_WORK = 4 << 30
"""Bytes that may be written while sets are joined, some seconds: one arc to a high line number makes a large set."""

MOST_NAME = 4096
"""Characters of a path, or of a context."""

MOST_LINE = 1_000_000

Kind = TypeVar("Kind", bound=Sized)

_TABLES: Mapping[str, tuple[str, ...]] = {
    "coverage_schema": ("version",),
    "meta": ("key", "value"),
    "file": ("id", "path"),
    "context": ("id", "context"),
    "line_bits": ("file_id", "context_id", "numbits"),
    "arc": ("file_id", "context_id", "fromno", "tono"),
    "tracer": ("file_id", "tracer"),
}


class UnreadableData(Exception):
    """A file is no coverage data that may be read; the message is a readable clause."""


@dataclass(frozen=True, slots=True)
class RecordedLines:
    """What a data file says: the lines of each file, by its path as recorded, for each context.

    The context is ``""`` where none was recorded. ``modified`` is when the data was written, in seconds of the epoch.
    """

    files: Mapping[str, Mapping[str, Lines]]
    modified: float

    def lines(self, path: str) -> Lines:
        """The lines of that recorded path in all contexts together."""
        bits = 0
        for lines in self.files[path].values():
            bits |= lines.bits
        return Lines.from_bits(bits)


def read_coverage_data(path: Path, *, follow: bool = True, most_bytes: int = MOST_BYTES) -> RecordedLines:
    """What the file says. Raises ``UnreadableData``; ``follow`` lets the path be a link, as one that a person names."""
    try:
        with passing_folder() as folder:
            copy = Path(folder, "data")
            modified = _copy_bounded(path, copy, most_bytes, follow=follow)
            with contextlib.closing(_open(copy)) as database:
                heard: list[BaseException] = []
                watch(database, heard)
                try:
                    return RecordedLines(_read(database), modified)
                except sqlite3.Error:
                    if heard:
                        raise heard[0] from None
                    raise
    except sqlite3.Error as problem:
        raise UnreadableData(str(problem)) from problem
    except OSError as problem:
        raise UnreadableData(problem.strerror or "it cannot be read") from problem
    except MemoryError as problem:
        raise UnreadableData("it takes more memory than there is") from problem


def _copy_bounded(path: Path, copy: Path, most_bytes: int, *, follow: bool) -> float:
    """Copy a plain file of a bounded size that begins as SQLite's do; when it was written."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    with open(os.open(path, flags), "rb") as source:
        found = os.fstat(source.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableData("it is no plain file")
        if found.st_size > most_bytes:
            raise UnreadableData(f"its {found.st_size >> 20} MB are more than the {most_bytes >> 20} that are read")
        content = source.read(found.st_size)  # as much as is asked for is taken from memory at once
    if not content.startswith(b"SQLite format 3\0"):
        raise UnreadableData("it is no database")
    copy.write_bytes(content)
    return found.st_mtime


def _open(copy: Path) -> Database:
    database = sqlite3.connect(f"{copy.as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_LINE)
    database.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, MOST_LINE)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    return database


def _read(database: Database) -> dict[str, dict[str, Lines]]:
    _refuse_other_tables(database)
    versions = database.execute("SELECT version FROM coverage_schema LIMIT 2").fetchall()
    if versions != [(SCHEMA,)]:
        raise UnreadableData(f"its tables are not of version {SCHEMA}")
    paths = dict(_rows(database, "SELECT id, path FROM file", _is_named))
    contexts = dict(_rows(database, "SELECT id, context FROM context", _is_named))
    joined: dict[str, dict[str, int]] = {path: {} for path in paths.values()}
    sets, work = LineSets(), 0
    for file, context, bits in itertools.chain(_line_bits(database), _arcs(database)):
        path, said = paths.get(file), contexts.get(context, "")
        if path is not None:
            known = joined[path].get(said, 0)
            work += max(known.bit_length(), bits.bit_length()) // 8
            if work > MOST_WORK:
                raise UnreadableData("its lines take too long to read")
            joined[path][said] = known | bits
    try:
        return {
            path: {said: sets.shared(path, Lines.from_bits(bits)) for said, bits in by_context.items()}
            for path, by_context in joined.items()
        }
    except MalformedLines as problem:
        raise UnreadableData(str(problem)) from problem


def _line_bits(database: Database) -> Iterator[tuple[int, int, int]]:
    for file, context, numbits in _rows(database, "SELECT file_id, context_id, numbits FROM line_bits"):
        if not isinstance(numbits, bytes) or len(numbits) > MOST_LINE // 8:
            raise UnreadableData("its lines are misshapen")
        yield file, context, int.from_bytes(numbits, "little") & ~1


def _arcs(database: Database) -> Iterator[tuple[int, int, int]]:
    """The lines at both ends of each arc; an end below one is where a function begins or ends."""
    for file, context, *ends in _rows(database, "SELECT file_id, context_id, fromno, tono FROM arc"):
        if not all(isinstance(end, int) and abs(end) <= MOST_LINE for end in ends):
            raise UnreadableData("its arcs are misshapen")
        yield from ((file, context, 1 << end) for end in ends if end > 0)


def _rows(
    database: Database, statement: str, is_sound: Callable[[tuple[object, ...]], bool] | None = None
) -> Iterator[Any]:
    for number, row in enumerate(database.execute(statement)):
        if number >= MOST_ROWS:
            raise UnreadableData(f"it has more rows than the {MOST_ROWS} that are read")
        if is_sound is not None and not is_sound(row):
            raise UnreadableData("a name in it is misshapen")
        yield row


def _is_named(row: tuple[object, ...]) -> bool:
    return len(row) == 2 and isinstance(row[0], int) and isinstance(row[1], str) and len(row[1]) <= MOST_NAME


def _refuse_other_tables(database: Database) -> None:
    """Raise unless the database is made of coverage's tables, with their columns, and of indices that hold no code."""
    tables = set()
    for kind, name, statement in database.execute("SELECT type, name, sql FROM sqlite_master LIMIT 100"):
        if kind == "index" and statement is None:  # made by SQLite itself, for a unique column
            continue
        if kind != "table":
            raise UnreadableData(f"it holds a {kind}")
        if name not in _TABLES or " virtual " in f" {statement} ".lower().replace("\n", " ")[:40]:
            raise UnreadableData(f"it holds a table that is not coverage's: {name!r}"[:100])
        tables.add(name)
    for name, columns in _TABLES.items():
        if name not in tables:
            raise UnreadableData(f"it has no table {name!r}")
        rows = database.execute(f"PRAGMA table_xinfo({name})").fetchall()
        if tuple(row[1] for row in rows) != columns or any(row[6] for row in rows):
            raise UnreadableData(f"the columns of its table {name!r} are not coverage's")


def write_line_map(path: Path, root: str, line_map: LineMap) -> None:
    """Write which lines each test ran as coverage's data, in place of what is there; the contexts are node ids.

    Raises ``OSError``.
    """

    def rows(file: int, context: int, lines: Set[int]) -> Iterator[tuple[object, ...]]:
        yield file, context, _numbits(lines if isinstance(lines, Lines) else Lines(lines))

    _write(path, root, line_map, "INSERT INTO line_bits (file_id, context_id, numbits) VALUES (?, ?, ?)", rows)


def write_arcs(path: Path, root: str, arcs: ArcMap) -> None:
    """Write which arcs each test ran in the same way: data of a project that measures branches.

    Raises ``OSError``.
    """

    def rows(file: int, context: int, pairs: Arcs) -> Iterator[tuple[object, ...]]:
        yield from ((file, context, *pair) for pair in sorted(pairs))

    _write(path, root, arcs, "INSERT INTO arc (file_id, context_id, fromno, tono) VALUES (?, ?, ?, ?)", rows)


def _write(
    path: Path,
    root: str,
    ran: Sequence[tuple[TestId, Sequence[tuple[str, Kind]]]],
    statement: str,
    rows: Callable[[int, int, Kind], Iterator[tuple[object, ...]]],
) -> None:
    """Write what each test ran of each file, by one statement for the rows of both."""
    from coverage import CoverageData  # noqa: PLC0415 - an eighth of the time in which a command starts

    names = {file: os.path.join(root, file) for _, files in ran for file, known in files if known}
    with passing_folder() as folder:
        made = Path(folder, "data")
        data = CoverageData(basename=str(made))
        # So that it says whether it holds lines or arcs.
        data.add_arcs({}) if " arc " in statement else data.add_lines({})
        data.touch_files(sorted(names.values()))
        data.write()
        data.close()
        # One statement for all: coverage's own way takes four for each test and file, 14 s for 20,000 tests.
        with contextlib.closing(sqlite3.connect(made, isolation_level=None)) as database:
            database.execute("BEGIN")
            ids = {name: number for number, name in database.execute("SELECT id, path FROM file")}
            database.executemany(
                "INSERT INTO context (id, context) VALUES (?, ?)",
                ((number, test) for number, (test, _) in enumerate(ran, 1)),
            )
            database.executemany(
                statement,
                (
                    row
                    for number, (_, files) in enumerate(ran, 1)
                    for file, known in files
                    if known
                    for row in rows(ids[names[file]], number, known)
                ),
            )
            database.execute("COMMIT")
        replace_file(path, made.read_bytes())


def _numbits(lines: Lines) -> bytes:
    """The lines as coverage keeps them: bit *n* of the whole stands for line *n*, the lowest byte first."""
    return lines.bits.to_bytes((lines.bits.bit_length() + 7) // 8, "little")


def is_coverage_data(path: Path) -> bool:
    """Whether that file can be replaced by coverage data without loss of anything else: it is such data, or is not."""
    if not os.path.lexists(path):
        return True
    try:
        read_coverage_data(path)
    except UnreadableData:
        return False
    return True
