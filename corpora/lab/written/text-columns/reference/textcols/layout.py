"""Lay out short items in columns, as `ls` does."""
from __future__ import annotations


def shape(items: list[str], width: int, gap: int = 2) -> tuple[int, int]:
    """Return (rows, columns) for the items on lines of at most `width`.

    All columns are as wide as the longest item, with `gap` blanks between
    neighbours (none after the last).  As many columns as fit are used, at
    least one even if that is too wide, and never more than are needed for
    the rows to be filled column by column.

    >>> shape(["aa", "bb", "cc"], 10)
    (1, 3)
    """
    if not items:
        return (0, 0)
    longest = max(len(item) for item in items)
    fit = max(1, (width + gap) // (longest + gap))
    rows = -(-len(items) // fit)
    cols = -(-len(items) // rows)
    return (rows, cols)


def columns(items: list[str], width: int = 80, gap: int = 2) -> str:
    """The items as text, filled downwards, without trailing blanks."""
    rows, cols = shape(items, width, gap)
    if not rows:
        return ""
    longest = max(len(item) for item in items)
    lines = []
    for row in range(rows):
        cells = [items[i] for i in range(row, len(items), rows)]
        line = (" " * gap).join(cell.ljust(longest) for cell in cells)
        lines.append(line.rstrip())
    return "\n".join(lines)
