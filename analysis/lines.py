"""Sets of line numbers, a bit for each line: a suite of thousands of tests has some for each test and file.

Most tests of a suite run the same lines of most files. ``LineSets`` reads them from a report (untrusted). Equal sets
are one object, so that what is kept grows with what is distinct. That is bounded, and by bytes, since a single high
number makes a large set; so is the work of reading it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Set


class Lines(Set[int]):
    """An immutable set of line numbers, equal to any other set of the same. ``bits`` has bit *n* set for line *n*."""

    __slots__ = ("bits",)

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        """The numbers, none of them negative."""
        self.bits = 0
        for number in numbers:
            self.bits |= 1 << number

    @classmethod
    def from_ranges(cls, ranges: Iterable[tuple[int, int]]) -> Lines:
        """All from the first to the last of each pair."""
        found = cls()
        for first, last in ranges:
            found.bits |= ((1 << last - first + 1) - 1) << first
        return found

    @classmethod
    def from_bits(cls, bits: int) -> Lines:
        """Those whose bits are set."""
        found = cls()
        found.bits = bits
        return found

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and number >= 0 and bool(self.bits >> number & 1)

    def __iter__(self) -> Iterator[int]:
        written = f"{self.bits:b}"[::-1]
        at = written.find("1")
        while at >= 0:
            yield at
            at = written.find("1", at + 1)

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __eq__(self, other: object) -> bool:
        return self.bits == other.bits if isinstance(other, Lines) else Set.__eq__(self, other)

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def __repr__(self) -> str:
        return f"Lines({list(self)})"

    def isdisjoint(self, other: Iterable[object]) -> bool:
        """Whether no number is in both."""
        return not self.bits & other.bits if isinstance(other, Lines) else super().isdisjoint(other)


def bits_of(numbers: Set[int]) -> int:
    """The numbers as one integer with a bit for each."""
    return numbers.bits if isinstance(numbers, Lines) else Lines(numbers).bits


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

    def shared(self, path: str, lines: Lines) -> Lines:
        """The set that was given before for these lines of the file, else this one. Raises ``MalformedLines``."""
        return self._of_file(path, lines)[1]

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
