"""Plain text tables.

    >>> t = Table(["name", "qty"])
    >>> t.add("bolt", 12)
    >>> print(render_text(t))
    name  qty
    ----  ---
    bolt   12
"""
from cells import format_cell, is_number


class Table:
    def __init__(self, headers):
        if not headers:
            raise ValueError("a table needs at least one column")
        self.headers = [str(h) for h in headers]
        self.rows = []

    def add(self, *values):
        if len(values) != len(self.headers):
            raise ValueError("expected %d values, got %d" % (len(self.headers), len(values)))
        self.rows.append(list(values))

    def column(self, name):
        i = self.headers.index(name)
        return [row[i] for row in self.rows]

    def sort(self, name, reverse=False):
        """Sort by a column; empty cells (None) always go last."""
        i = self.headers.index(name)
        full = [r for r in self.rows if r[i] is not None]
        empty = [r for r in self.rows if r[i] is None]
        full.sort(key=lambda r: r[i], reverse=reverse)
        self.rows = full + empty


def column_widths(table, decimals=2):
    """Width of the widest thing in each column."""
    widths = [len(h) for h in table.headers]
    for row in table.rows:
        for i, value in enumerate(row):
            widths[i] = max(widths[i], len(format_cell(value, decimals)))
    return widths


def render_text(table, decimals=2, gap="  "):
    """The table as aligned text: numbers to the right, all else to the left."""
    widths = column_widths(table, decimals)
    numeric = [
        all(is_number(v) or v is None for v in table.column(h)) and bool(table.rows)
        for h in table.headers
    ]

    def line(cells):
        out = []
        for text, width, right in zip(cells, widths, numeric):
            out.append(text.rjust(width) if right else text.ljust(width))
        return gap.join(out).rstrip()

    lines = [line(table.headers), gap.join("-" * w for w in widths)]
    for row in table.rows:
        lines.append(line([format_cell(v, decimals) for v in row]))
    return "\n".join(lines)
