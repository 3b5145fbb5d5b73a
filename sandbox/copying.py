"""Copies of single files that cost as little as is safe.

A copy shares its blocks with the original where the file system can let go of them at the first write (a reflink).
Never a hard link: what a test writes through one would be written into every other copy.
"""

from __future__ import annotations

import fcntl
import os

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
    if found.st_size < _WORTH_ASKING:
        _copy_bytes(reader, writer)
    elif not _cloned(reader, writer):
        if found.st_blocks * _BLOCK < found.st_size:
            _copy_without_holes(reader, writer, found.st_size)
        else:
            _copy_bytes(reader, writer)


def _cloned(reader: int, writer: int) -> bool:
    try:
        fcntl.ioctl(writer, _CLONE, reader)
    except OSError:
        return False
    return True


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
