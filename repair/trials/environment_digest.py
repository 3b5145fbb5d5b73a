"""Everything that decides how a trial ends, boiled down to one digest: where it changes, nothing is remembered.

The digest sees

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

import functools
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from analysis.facts import Files, Limits, TestId
from repair.trials.remembered import World
from sandbox.request import PROBE
from sandbox.target import Target
from sandbox.workspace import Snapshot

LARGE = 4 << 20
"""Files from this size on are told apart by size and time: reading them would cost more than is saved."""

MOST_FILES = 20_000
"""Python files looked at in each editable install; of a larger one the rest is not seen."""

_INSTALLED = (".dist-info", ".egg-info", ".pth", ".egg-link")


def world(target: Target, snapshot: Snapshot, isolation: str, engine: str, key: bytes) -> World:
    """What tells apart the worlds of one run's selections; the files are read when the first one is asked for."""
    surroundings = functools.cache(lambda: surroundings_digest(target, snapshot, isolation, engine, key))
    return lambda tests, files, limits: selection_digest(surroundings(), tests, files, limits, key)


def surroundings_digest(target: Target, snapshot: Snapshot, isolation: str, engine: str, key: bytes) -> bytes:
    """What is the same for all trials of a run."""
    seen = [engine, isolation, *_probe(), *_interpreter(target), *_options(target, key)]
    seen += [part for folder in _outside_folders(target) for part in _python_files(folder)]
    return _digest(key, (*seen, *_project(snapshot)))


def selection_digest(
    surroundings: bytes, tests: Sequence[TestId], files: Files, limits: Limits | None, key: bytes
) -> bytes:
    """What is the same for all trials of these tests. Time limits are left out: what they end is never kept."""
    bounds = replace(limits or Limits(), wall_seconds=0.0, cpu_seconds=0.0, test_seconds=0.0, stuck_seconds=0.0)
    laid = [part for path, content in files for part in (path, hashlib.sha256(content).hexdigest())]
    return _digest(key, (surroundings.hex(), repr(bounds), *tests, "", *laid))


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
            yield python.get(entry.path) or _content(Path(snapshot.master, entry.path), Path(snapshot.root, entry.path))


def _content(copy: Path, original: Path) -> str:
    """The file's content; of a large one size and time. The copy may carry another time than the original."""
    try:
        if copy.stat().st_size < LARGE:
            return hashlib.sha256(copy.read_bytes()).hexdigest()
        return _stamp(original)
    except OSError as problem:
        return f"unread: {problem.errno}"


def _probe() -> Iterator[str]:
    for path in sorted(PROBE.rglob("*.py")):
        yield from (path.name, hashlib.sha256(path.read_bytes()).hexdigest())


def _interpreter(target: Target) -> Iterator[str]:
    said = target.interpreter
    yield from (
        said.python,
        repr(said.version),
        said.pytest,
        said.coverage,
        said.image,
        _stamp(Path(os.path.realpath(said.python))),
    )
    for folder in said.path:
        yield folder
        with_times = (name for name in _names(folder) if name.endswith(_INSTALLED))
        for name in with_times:
            yield from (name, _stamp(Path(folder, name)))


def _options(target: Target, key: bytes) -> Iterator[str]:
    yield from (repr(target.options), repr(target.path_entries), os.environ.get("TZ", ""))
    for name, value in target.passed:
        yield from (name, hashlib.blake2b(value.encode("utf-8", "surrogateescape"), key=key).hexdigest())


def _outside_folders(target: Target) -> tuple[str, ...]:
    """Folders beyond the project that hold code of the user's own."""
    every = dict.fromkeys((*target.path_entries, *target.interpreter.mapped))
    return tuple(p for p in every if p != target.root and not p.startswith(target.root + os.sep))


def _python_files(folder: str) -> Iterator[str]:
    seen = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(name for name in names if name.endswith(".py")):
            yield from (os.path.join(place, name), _stamp(Path(place, name)))
            seen += 1
        if seen > MOST_FILES:
            return


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _stamp(path: Path) -> str:
    try:
        found = path.stat()
    except OSError as problem:
        return f"unread: {problem.errno}"
    return f"{found.st_size} {found.st_mtime_ns}"
