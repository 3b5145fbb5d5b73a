"""Files of JSON lines that are only ever appended to: whatever ends us, nothing but the last line can be torn.

What was torn off is cut away when the file is next opened for appending. One process appends at a time; readers ask
nobody, and have to pass over a last line that is not whole.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

_CHUNK = 1 << 16


class JsonLines:
    """A file open for appending, made where it is not there; ``torn`` says that its last line was cut away.

    Raises ``BlockingIOError`` where somebody else appends to it and ``wait`` is not asked for, and ``OSError`` where it
    cannot be opened.
    """

    def __init__(self, path: Path, *, wait: bool = True) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            self.torn = self._cut_torn_line()
        except OSError:
            self.close()
            raise

    def __enter__(self) -> JsonLines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written yet."""
        return os.fstat(self._descriptor).st_size == 0

    def append(self, *values: Any) -> None:
        """Write a line for each value, all or, with an ``OSError``, none of them; no crash takes them back."""
        end = os.fstat(self._descriptor).st_size
        rest = memoryview(b"".join(json.dumps(value).encode() + b"\n" for value in values))
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except OSError:
            os.ftruncate(self._descriptor, end)
            raise

    def close(self) -> None:
        """Let others append."""
        os.close(self._descriptor)

    def _cut_torn_line(self) -> bool:
        size = os.fstat(self._descriptor).st_size
        whole = self._whole_until(size)
        if whole < size:
            os.ftruncate(self._descriptor, whole)
        return whole < size

    def _whole_until(self, end: int) -> int:
        """Where the last whole line before ``end`` ends. Read from behind: files grow to gigabytes."""
        while end:
            start = max(0, end - _CHUNK)
            newline = os.pread(self._descriptor, end - start, start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            end = start
        return 0


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a file that hold anything."""
    with path.open("rb") as file:
        yield from (line for line in file if line.strip())
