"""The lines that each test ran, from a report (untrusted), in little memory.

Most tests of a suite run the same lines of most files. Equal sets are one object, so that what is kept grows with what
is distinct. That is bounded, and by bytes, since a single high number makes a large set; so is the work of reading it.
"""

from __future__ import annotations

import sys

from analysis.lines import Lines

_MOST_LINE = 10_000_000
_MOST_LINES, _MOST_BYTES = 2_000_000, 256 << 20
"""Different lines of all files, and what their sets may take."""

_MOST_WORK = 16 << 30
"""Bytes that may be written while sets are made: some seconds. A short report can name long ranges over and over."""


class MalformedLines(Exception):
    """Lines are not what the probe writes, or more than can be kept."""


class LineSets:
    """Sets of lines by path; remembers each that it has given, and all lines of each file."""

    def __init__(
        self, most_lines: int = _MOST_LINES, most_bytes: int = _MOST_BYTES, most_work: int = _MOST_WORK
    ) -> None:
        self._given: dict[tuple[str, int], tuple[str, Lines]] = {}
        self._lines: dict[str, int] = {}
        self._lines_left, self._bytes_left, self._work_left = most_lines, most_bytes, most_work

    def lines_of_test(self, by_path: object) -> tuple[tuple[str, Lines], ...]:
        """The lines of one test by path, sorted. Raises ``MalformedLines``."""
        if not isinstance(by_path, dict):
            raise MalformedLines("lines are no object")
        return tuple(self._of_file(path, self._made(by_path[path])) for path in sorted(by_path))

    def _made(self, pairs: object) -> Lines:
        if not isinstance(pairs, list):
            raise MalformedLines("a range of lines is misshapen")
        ranges = [_range(pair) for pair in pairs]
        self._work_left -= sum(last for _, last in ranges) // 8
        if self._work_left < 0:
            raise MalformedLines("its lines take too long to read")
        return Lines.from_ranges(ranges)

    def _of_file(self, path: str, lines: Lines) -> tuple[str, Lines]:
        given = self._given.get((path, lines.bits))
        if given is None:
            known = self._lines.get(path, 0)
            self._lines[path] = known | lines.bits
            self._lines_left -= self._lines[path].bit_count() - known.bit_count()
            self._bytes_left -= sys.getsizeof(lines.bits)
            if self._lines_left < 0 or self._bytes_left < 0:
                raise MalformedLines("it names more lines than can be kept")
            given = self._given[path, lines.bits] = (path, lines)
        return given


def _range(pair: object) -> tuple[int, int]:
    match pair:
        case [int(first), int(last)] if 0 < first <= last < _MOST_LINE:
            return first, last
    raise MalformedLines("a range of lines is misshapen")
