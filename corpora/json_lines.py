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
from typing import Any, ClassVar, Self, TypeVar

from repair.records.json_records import from_plain, to_plain

_CHUNK = 1 << 16


class JsonRecord:
    """A frozen record that is kept as JSON; ``called`` names it in errors."""

    __slots__ = ()
    called: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """The record as JSON values, in the order of its fields."""
        values: dict[str, Any] = to_plain(self)
        return values

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The record that the JSON values describe; raises ``ValueError`` for wrong ones."""
        found: Self = from_plain(cls, values, cls.called)
        return found


Kept = TypeVar("Kept", bound=JsonRecord)


class JsonLines:
    """A file open for appending, made where it is not there; ``torn`` says that its last line was cut away.

    Raises ``BlockingIOError`` where somebody else appends to it and ``wait`` is not asked for, and ``OSError`` where it
    cannot be opened.
    """

    def __init__(self, path: Path, *, wait: bool = True) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            size = os.fstat(self._descriptor).st_size
            whole = self._whole_until(size)
            self.torn = whole < size
            if self.torn:
                os.ftruncate(self._descriptor, whole)
        except OSError:
            self.close()
            raise

    def __enter__(self) -> JsonLines:
        return self

    def __exit__(self, *_: object) -> None:
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

    def _whole_until(self, end: int) -> int:
        """Where the last whole line before ``end`` ends. Read from behind: files grow to gigabytes."""
        while end:
            start = max(0, end - _CHUNK)
            newline = os.pread(self._descriptor, end - start, start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            end = start
        return 0


def append_lines(path: Path, *values: Any) -> None:
    """Append a line for each value, as soon as nobody else does."""
    with JsonLines(path) as lines:
        lines.append(*values)


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a file that hold anything."""
    with path.open("rb") as file:
        yield from (line for line in file if line.strip())


def records_of(path: Path, kind: type[Kept], schema: str) -> Iterator[Kept | str]:
    """The records of that schema, and a sentence on each line that is none. Lines of other schemas are let be."""
    for number, line in enumerate(lines_of(path), 1):
        try:
            values = json.loads(line)
            if isinstance(values, dict) and values.get("schema") == schema:
                yield kind.from_json(values)
        except ValueError as problem:
            yield f"{path.name}, line {number} is no record and is passed over: {problem}"
