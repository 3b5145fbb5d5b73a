"""One file replaced so that any crash leaves the old or the new bytes, never a part; and one read within bounds."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from pathlib import Path

WAITING = ".repair-tmp"
"""The end of the name of a file that waits to replace another."""

NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)
"""Why a file system, or its settings, give a file no second name."""

STALE_SECONDS = 3600.0
"""A file that waits for so long waits for nobody any more."""


def sha256(content: bytes) -> str:
    """Hexadecimal SHA-256 of the bytes."""
    return hashlib.sha256(content).hexdigest()


def read_plain(path: Path, most_bytes: int) -> bytes | None:
    """The bytes of a plain file of a bounded size; ``None`` for whatever else stands there: a link, a pipe, a folder.

    Raises ``OSError`` where it cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    with open(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        return file.read(most_bytes) if stat.S_ISREG(found.st_mode) and found.st_size <= most_bytes else None


def stage(temporary: Path, content: bytes, like: os.stat_result | None = None) -> None:
    """Write the bytes durably to a new file that waits to replace another; mode and owner as in ``like``.

    Raises ``OSError`` and leaves nothing behind, so a full disk is known before anything was replaced.
    """
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(descriptor, (like.st_mode & 0o7777) if like else 0o644)
            if like and (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
                with contextlib.suppress(PermissionError):  # an ordinary user cannot give files away, nor needs to
                    os.fchown(descriptor, like.st_uid, like.st_gid)
            if like:
                _part_from(like, descriptor)
            os.fsync(descriptor)
    except BaseException:  # whatever it was: no half file stays
        temporary.unlink(missing_ok=True)
        raise


def _part_from(old: os.stat_result, descriptor: int) -> None:
    """Give a file a later second than that of the one which it replaces, where their sizes are equal.

    Python tells by second and size whether byte code is of that source.
    """
    new = os.fstat(descriptor)
    if new.st_size == old.st_size and int(new.st_mtime) <= int(old.st_mtime):
        os.utime(descriptor, (new.st_atime, old.st_mtime + 1))


def replace_file(path: Path, content: bytes, like: os.stat_result | None = None) -> None:
    """Put the bytes in the file's place, durably, with mode and owner as in ``like``.

    Two processes may do so at once: each has its own temporary.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}{WAITING}")
    stage(temporary, content, like)
    os.replace(temporary, path)
    sync_directory(path.parent)


def remove_stale(directory: Path, now: float) -> None:
    """Delete what processes that were killed left waiting in the directory to replace a file."""
    with contextlib.suppress(OSError):
        for path in directory.glob(f".*{WAITING}"):
            if path.lstat().st_mtime < now - STALE_SECONDS:
                path.unlink()


def sync_directory(directory: Path) -> None:
    """Make the directory's entries durable."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
