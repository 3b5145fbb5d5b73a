"""Plain text tables."""


def widths(rows):
    """How wide each column is."""
    return [max(len(cell) for cell in column) for column in zip(*rows)]


def is_number(text):
    return text.lstrip("-").replace(".", "", 1).isdigit()


def line(cells, sizes, numeric):
    """One line; columns of numbers are aligned to the right, the others to the left."""
    placed = [f"{cell:>{size}}" if right else f"{cell:<{size}}" for cell, size, right in zip(cells, sizes, numeric)]
    return "  ".join(placed).rstrip()


def table(header, rows):
    """A header, a rule and the rows; every cell is text."""
    sizes = widths([header, *rows])
    numeric = [bool(rows) and all(map(is_number, column)) for column in zip(*rows)] or [False] * len(header)
    lines = [line(header, sizes, numeric), "  ".join("-" * size for size in sizes)]
    return "\n".join([*lines, *(line(row, sizes, numeric) for row in rows)])
