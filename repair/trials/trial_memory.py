"""Outcomes of trials, kept across runs in one SQLite file that may be deleted at any time.

A *page* holds the outcomes of one world: the same program, tests, interpreter and settings. Pages are read as a
whole and written in batches; the pages that were used longest ago go first when there are too many rows. Whatever is
wrong with the file, a run goes on without it.

A world is one digest of everything that decides how a trial ends. It sees

- every file of the project's copy (large ones by size and time);
- the interpreter, and the names and times of what is installed;
- the Python files of editable installs elsewhere;
- pytest's options;
- the user's variables (their values only through a keyed digest);
- the kind of isolation, the engine and its probe.

It does not see an installed file that was edited in place, the system's own libraries and programs, the machine or the
clock.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from analysis.facts import Digest, Files, Limits, TestId
from analysis.trials import TrialOutcome, TrialState
from repair.store.database import Database, TableLayout, move_aside, transaction
from repair.trials.cold import needs_other_tier
from sandbox.request import PROBE
from sandbox.target import Target
from sandbox.workspace import Snapshot

World = Callable[[Sequence[TestId], Files, Limits | None], bytes]
"""The digest of everything but the text that a trial of these tests, with these files, hangs on."""

MOST_ROWS = 300_000
BATCH = 2_000
LONGEST_DETAIL = 300

LAYOUT = TableLayout(
    (
        "CREATE TABLE pages (id INTEGER PRIMARY KEY, world BLOB UNIQUE, used INTEGER)",
        "CREATE TABLE trials (page INTEGER, trial BLOB, state TEXT, failed TEXT, detail TEXT,"
        " PRIMARY KEY (page, trial)) WITHOUT ROWID",
    ),
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
            self._pages[world] = self._transact(lambda database: _read(database, world)) or {}
        return self._pages[world]

    def keep(self, world: bytes, trial: bytes, outcome: TrialOutcome) -> None:
        """Remember a certain outcome; others are passed over."""
        if is_certain(outcome):
            self.page(world)[trial] = outcome
            self._unwritten.append((world, trial, outcome))
            if len(self._unwritten) >= BATCH:
                self.write()

    def forget(self, world: bytes) -> None:
        """Know nothing of that world any more, on disk neither."""
        self._pages[world] = {}
        self._unwritten = [kept for kept in self._unwritten if kept[0] != world]
        page = "SELECT id FROM pages WHERE world = ?"
        self._transact(lambda database: database.execute(f"DELETE FROM trials WHERE page IN ({page})", (world,)))

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
        except sqlite3.DatabaseError:
            return None  # damaged: it is put aside
        except ValueError:
            with contextlib.suppress(OSError):  # it stays where it is, and is not read
                self._put_aside(move_aside(self._path))
            return None

    def _put_aside(self, aside: Path) -> None:
        self.warnings.append(f"the memory of earlier trials was damaged: it is now {aside.name}, and starts anew")


def is_certain(outcome: TrialOutcome) -> bool:
    """Whether the same trial would end like this again: no accident of time, memory or a lost server.

    So would one that fails a test by its name, and not one that timed out.
    """
    match outcome.state:
        case TrialState.FAILED:
            return outcome.failed is not None
        case TrialState.INVALID:
            return not needs_other_tier(outcome.detail)
        case state:
            return state is TrialState.PASSED


def _write(database: Database, rows: Sequence[tuple[bytes, bytes, TrialOutcome]]) -> None:
    pages = {world: _page_id(database, world) for world in {row[0] for row in rows}}
    database.executemany(
        "INSERT OR REPLACE INTO trials VALUES (?, ?, ?, ?, ?)",
        [(pages[world], trial, o.state.value, o.failed, o.detail[:LONGEST_DETAIL]) for world, trial, o in rows],
    )


def _read(database: Database, world: bytes) -> dict[bytes, TrialOutcome]:
    """The world's outcomes, still without their digests; ``ValueError`` for what was never written by us."""
    page = _page_id(database, world)
    rows = database.execute("SELECT trial, state, failed, detail FROM trials WHERE page = ?", (page,))
    return {
        trial: TrialOutcome(Digest(""), TrialState(state), None if failed is None else TestId(str(failed)), str(detail))
        for trial, state, failed, detail in rows
    }


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


LARGE = 4 << 20
"""Files from this size on are told apart by size and time: reading them would cost more than is saved."""

MOST_FILES = 20_000
"""Python files looked at in each editable install; of a larger one the rest is not seen."""

_INSTALLED = (".dist-info", ".egg-info", ".pth", ".egg-link")


def world(target: Target, snapshot: Snapshot, isolation: str, engine: str, key: bytes) -> World:
    """What tells apart the worlds of one run's selections; the files are read when the first one is asked for."""

    @functools.cache
    def surroundings() -> str:
        """What is the same for all trials of a run."""
        seen = [engine, isolation]
        for path in sorted(PROBE.rglob("*.py")):
            seen += (path.name, hashlib.sha256(path.read_bytes()).hexdigest())
        seen += (*_interpreter(target), repr(target.options), repr(target.path_entries), os.environ.get("TZ", ""))
        for name, value in target.passed:
            seen += (name, hashlib.blake2b(value.encode("utf-8", "surrogateescape"), key=key).hexdigest())
        for folder in dict.fromkeys((*target.path_entries, *target.interpreter.mapped)):
            if folder != target.root and not folder.startswith(target.root + os.sep):  # code of the user's own
                seen += _python_files(folder)
        return _digest(key, (*seen, *_project(snapshot))).hex()

    def of_selection(tests: Sequence[TestId], files: Files, limits: Limits | None) -> bytes:
        """Time limits are left out: what they end is never kept."""
        bounds = replace(limits or Limits(), wall_seconds=0.0, cpu_seconds=0.0, test_seconds=0.0, stuck_seconds=0.0)
        laid = [part for path, content in files for part in (path, hashlib.sha256(content).hexdigest())]
        return _digest(key, (surroundings(), repr(bounds), *tests, "", *laid))

    return of_selection


def _digest(key: bytes, parts: Iterable[str]) -> bytes:
    """A keyed digest of the parts, each with its length, so that no two lists look alike."""
    found = hashlib.blake2b(key=key, digest_size=20)
    for part in parts:
        raw = part.encode("utf-8", "surrogateescape")
        found.update(b"%d:" % len(raw) + raw)
    return found.digest()


def _project(snapshot: Snapshot) -> Iterator[str]:
    python = dict(snapshot.digests)
    for entry in snapshot.entries:
        yield from (entry.path, entry.kind, str(entry.mode), entry.link)
        if entry.kind == "file":
            yield python.get(entry.path) or _content(snapshot, entry.path)


def _content(snapshot: Snapshot, path: str) -> str:
    """The file's content; of a large one size and time, and these of the original: those of the copy may differ."""
    copy = Path(snapshot.master, path)
    try:
        small = copy.stat().st_size < LARGE
        return hashlib.sha256(copy.read_bytes()).hexdigest() if small else _stamp(Path(snapshot.root, path))
    except OSError as problem:
        return f"unread: {problem.errno}"


def _interpreter(target: Target) -> Iterator[str]:
    said = target.interpreter
    yield from (said.python, repr(said.version), said.pytest, said.coverage, said.image)
    yield _stamp(Path(os.path.realpath(said.python)))
    for folder in said.path:
        yield folder
        names: list[str] = []
        with contextlib.suppress(OSError):  # no such folder, as Python allows on its path
            names = sorted(name for name in os.listdir(folder) if name.endswith(_INSTALLED))
        for name in names:
            yield from (name, _stamp(Path(folder, name)))


def _python_files(folder: str) -> Iterator[str]:
    seen = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(name for name in names if name.endswith(".py")):
            yield from (os.path.join(place, name), _stamp(Path(place, name)))
            seen += 1
        if seen > MOST_FILES:
            return


def _stamp(path: Path) -> str:
    try:
        found = path.stat()
    except OSError as problem:
        return f"unread: {problem.errno}"
    return f"{found.st_size} {found.st_mtime_ns}"
