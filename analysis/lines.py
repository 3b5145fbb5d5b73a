"""Sets of line numbers, a bit for each line: a suite of thousands of tests has some for each test and file."""

from __future__ import annotations

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
