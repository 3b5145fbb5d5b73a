"""Disposable copies of the project. The original is read once and never written.

A copy of a file shares its blocks with the original where the file system can let go of them at a write (a reflink).
It is never a hard link: what a test writes through one would be written into every other copy.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from analysis.errors import TargetError, UsageError
from analysis.facts import Files
from sandbox.installation import is_private
from sandbox.visible_paths import is_within

_CLONE = 0x40049409  # FICLONE
_WORTH_ASKING = 64 << 10
_CHUNK = 1 << 20
_BLOCK = 512


def copy_file(source: str, to: str, mode: int) -> None:
    """A new file with the same bytes. Raises ``OSError``, also where there is one already."""
    reader = os.open(source, os.O_RDONLY)
    try:
        writer = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            _copy(reader, writer)
        finally:
            os.close(writer)
    finally:
        os.close(reader)


def _copy(reader: int, writer: int) -> None:
    """Small files dominate: one read and one write beat every cleverer call."""
    found = os.fstat(reader)
    if found.st_size >= _WORTH_ASKING:
        with contextlib.suppress(OSError):  # not every file system shares blocks
            fcntl.ioctl(writer, _CLONE, reader)
            return
    if found.st_size >= _WORTH_ASKING and found.st_blocks * _BLOCK < found.st_size:
        _copy_without_holes(reader, writer, found.st_size)
    else:
        _copy_bytes(reader, writer)


def _copy_bytes(reader: int, writer: int, most: int = -1) -> None:
    """Up to so many bytes from where both stand; all of them for -1."""
    while most and (chunk := os.read(reader, _CHUNK if most < 0 else min(most, _CHUNK))):
        most -= len(chunk) if most > 0 else 0
        while chunk:
            chunk = chunk[os.write(writer, chunk) :]


def _copy_without_holes(reader: int, writer: int, size: int) -> None:
    """The parts that hold anything; the rest stays as empty as it was. A project may hold more of it than the disk."""
    end = 0
    while end < size:
        try:
            start = os.lseek(reader, end, os.SEEK_DATA)
        except OSError:  # only a hole is left
            break
        end = os.lseek(reader, start, os.SEEK_HOLE)
        os.lseek(reader, start, os.SEEK_SET)
        os.lseek(writer, start, os.SEEK_SET)
        _copy_bytes(reader, writer, end - start)
    os.ftruncate(writer, size)


_MADE_AGAIN = ("__pycache__", ".tox", ".nox", "node_modules", ".mypy_cache", ".pytest_cache", ".ruff_cache")
SKIPPED = frozenset((".git", ".hg", ".svn", ".repair", *_MADE_AGAIN))
_LEFT_OUT = ("unreadable", "private")
_LONGEST_NAME = 255
"""Bytes of a file's name that file systems take."""


@dataclass(frozen=True, slots=True)
class WorkspaceEntry:
    """One file, folder (``kind`` ``dir``) or link of the copy; ``link`` is where a link points. What this user may not
    read is ``unreadable``, a link to what is his alone is ``private``, and neither is copied."""

    path: str
    kind: str
    mode: int
    link: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The project as it was when the engine first read it: ``master`` is a private copy that nobody runs in."""

    root: str
    master: str
    entries: tuple[WorkspaceEntry, ...]
    digests: tuple[tuple[str, str], ...]
    """SHA-256 of every Python file, as copied."""
    unreadable: tuple[str, ...] = ()
    """Files and folders that are left out since this user may not read them."""
    private: tuple[str, ...] = ()
    """Links that are left out since they lead to private files of this user."""

    def sources(self) -> Files:
        """Every Python file with its bytes, sorted."""
        return tuple((path, (Path(self.master) / path).read_bytes()) for path, _ in self.digests)

    def read(self, names: Iterable[str]) -> dict[str, bytes]:
        """Those of the files that are there, with their bytes."""
        found = {name: Path(self.master) / name for name in names}
        return {name: path.read_bytes() for name, path in found.items() if path.is_file() and not path.is_symlink()}

    def that_fit(self, files: Files) -> Files:
        """Those that can be laid over a copy: within it, below plain folders alone, and not in the place of one."""
        kinds = {path: "file" for path, _ in files} | {entry.path: entry.kind for entry in self.entries}
        return tuple(each for each in files if _fits(PurePosixPath(each[0]), kinds))

    def bytes(self) -> int:
        """The size of all files together."""
        return sum(os.path.getsize(f"{self.master}/{entry.path}") for entry in self.entries if entry.kind == "file")

    def stale_files(self) -> tuple[str, ...]:
        """The Python files that are no longer what they were, or are gone."""
        return tuple(path for path, digest in self.digests if _digest(Path(self.root) / path) != digest)


def take_snapshot(root: str, into: Path) -> Snapshot:
    """Copy the project at ``root`` to ``into`` (which must not exist yet), without caches, environments and history."""
    if not os.path.isdir(root):
        raise TargetError(
            "There is no such project directory", where=root, remedy="Name an existing directory with --root."
        )
    into.mkdir(parents=True)
    real = os.path.realpath(root)
    try:
        found = tuple(_walk("", real, str(into)))
        entries = tuple(entry for entry in found if entry.kind not in _LEFT_OUT)
        _copy_entries(entries, real, str(into))
    except OSError as problem:
        raise TargetError(
            f"The project cannot be copied: {problem}",
            where=root,
            remedy=(
                "Make room there, or name another folder by TMPDIR."
                if problem.errno in (errno.ENOSPC, errno.EDQUOT)
                else "Name the project's own folder with --root, and run again when nobody writes it."
            ),
        ) from problem
    python = sorted(entry.path for entry in entries if entry.kind == "file" and entry.path.endswith(".py"))
    left_out = (tuple(entry.path for entry in found if entry.kind == kind) for kind in _LEFT_OUT)
    return Snapshot(root, str(into), entries, tuple((path, _digest(into / path)) for path in python), *left_out)


def copy_snapshot(snapshot: Snapshot, to: Path, files: Files = ()) -> None:
    """A fresh, writable copy at ``to`` with the files laid over it."""
    to.mkdir(parents=True)
    _copy_entries(snapshot.entries, snapshot.master, str(to))
    for path, content in files:
        overlay(to, path, content)


def overlay(root: Path, path: str, content: bytes) -> None:
    """Write one file of the copy, by a relative path that neither leaves it nor goes through a link."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\0" in path:
        raise UsageError("A file to lay over the project lies outside it", where=path)
    folder = root
    for part in parts[:-1]:
        folder = folder / part
        if folder.is_symlink():
            raise UsageError("A file to lay over the project would be written through a link", where=path)
        folder.mkdir(exist_ok=True)
    place = folder / parts[-1]
    mode = stat.S_IMODE(place.lstat().st_mode) if place.exists() and not place.is_symlink() else 0o644
    place.unlink(missing_ok=True)
    place.write_bytes(content)
    place.chmod(mode)


def _fits(path: PurePosixPath, kinds: Mapping[str, str]) -> bool:
    if path.is_absolute() or ".." in path.parts or kinds.get(str(path)) == "dir":
        return False
    if any(len(os.fsencode(part)) > _LONGEST_NAME for part in path.parts):
        return False
    return all(kinds.get(str(folder), "dir") == "dir" for folder in path.parents)


def remove(path: Path) -> None:
    """Delete a copy; folders that a test made unwritable are no hindrance. What is round the copy stays as it is."""

    def again(function: object, name: str, _problem: object) -> None:
        within = () if os.fspath(name) == os.fspath(path) else (os.path.dirname(name),)
        for folder in (*within, name):
            if not os.path.islink(folder) and os.path.isdir(folder):
                os.chmod(folder, 0o700)
        if os.path.isdir(name) and not os.path.islink(name):
            shutil.rmtree(name, ignore_errors=True)
        elif os.path.lexists(name):
            os.unlink(name)

    shutil.rmtree(path, onerror=again)


def _walk(folder: str, root: str, exclude: str) -> Iterator[WorkspaceEntry]:
    """Entries below a folder, parents first, in sorted order."""
    with os.scandir(os.path.join(root, folder) if folder else root) as found:
        children = sorted(found, key=lambda child: child.name)
    for child in children:
        path = f"{folder}/{child.name}" if folder else child.name
        if child.name in SKIPPED or is_within(exclude, child.path):
            continue
        if child.is_symlink():
            yield _linked_entry(child.path, path, root)
        elif not os.access(child.path, os.R_OK | os.X_OK if child.is_dir() else os.R_OK):
            yield WorkspaceEntry(path, "unreadable", 0)
        elif child.is_dir():
            if not os.path.exists(os.path.join(child.path, "pyvenv.cfg")):
                yield WorkspaceEntry(path, "dir", stat.S_IMODE(child.stat().st_mode) | 0o700)
                yield from _walk(path, root, exclude)
        elif child.is_file():
            yield WorkspaceEntry(path, "file", stat.S_IMODE(child.stat().st_mode) | 0o600)


def _linked_entry(absolute: str, path: str, root: str) -> WorkspaceEntry:
    """A link within the project stays one, made relative.

    Of a file outside the content is taken, so that nothing written through it leaves the copy. Nothing is taken of a
    file that is private to the user: whoever wrote the link may be a stranger. A folder outside stays where it is; a
    dangling link stays as it is.
    """
    target = os.readlink(absolute)
    real = os.path.realpath(absolute)
    if is_within(real, root):
        inside = os.path.relpath(os.path.join(os.path.dirname(absolute), target), os.path.dirname(absolute))
        return WorkspaceEntry(path, "link", 0, inside)
    if os.path.isfile(real) and os.access(real, os.R_OK):
        return WorkspaceEntry(path, "private", 0) if is_private(real) else WorkspaceEntry(path, "file", 0o644)
    return WorkspaceEntry(path, "link", 0, real if os.path.isdir(real) else target)


def _copy_entries(entries: Iterable[WorkspaceEntry], source: str, to: str) -> None:
    for entry in entries:
        place = f"{to}/{entry.path}"
        if entry.kind == "file":
            copy_file(f"{source}/{entry.path}", place, entry.mode)
        elif entry.kind == "dir":
            os.mkdir(place)
            os.chmod(place, entry.mode)
        else:
            os.symlink(entry.link, place)


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
