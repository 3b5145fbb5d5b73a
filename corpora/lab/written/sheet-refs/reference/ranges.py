"""Rectangles of cells."""
from typing import Iterator, NamedTuple

from refs import Cell, RefError, cell_name, parse_cell


class Range(NamedTuple):
    """``first`` is the top left corner, ``last`` the bottom right one."""
    first: Cell
    last: Cell

    def cells(self) -> Iterator[Cell]:
        """Row by row, each row from left to right."""
        for row in range(self.first.row, self.last.row + 1):
            for col in range(self.first.col, self.last.col + 1):
                yield Cell(col, row)

    def size(self) -> tuple[int, int]:
        return self.last.col - self.first.col + 1, self.last.row - self.first.row + 1

    def __str__(self) -> str:
        if self.first == self.last:
            return cell_name(self.first)
        return f"{cell_name(self.first)}:{cell_name(self.last)}"


def parse_range(text: str) -> Range:
    """Read ``A1:B3`` or a single cell.

    Any two opposite corners may be given, as in every spreadsheet.
    """
    parts = text.split(":")
    if len(parts) > 2:
        raise RefError(f"bad range: {text!r}")
    a = parse_cell(parts[0])
    b = parse_cell(parts[-1])
    first = Cell(min(a.col, b.col), min(a.row, b.row))
    last = Cell(max(a.col, b.col), max(a.row, b.row))
    return Range(first, last)


def intersect(a: Range, b: Range):
    """The common part of two ranges or None."""
    first = Cell(max(a.first.col, b.first.col), max(a.first.row, b.first.row))
    last = Cell(min(a.last.col, b.last.col), min(a.last.row, b.last.row))
    if first.col > last.col or first.row > last.row:
        return None
    return Range(first, last)
