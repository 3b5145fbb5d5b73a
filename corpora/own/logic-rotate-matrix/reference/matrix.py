"""Small matrices as lists of rows."""


def transpose(rows):
    return [list(column) for column in zip(*rows)]


def rotate(rows):
    """A quarter turn clockwise."""
    height = len(rows)
    width = len(rows[0]) if rows else 0
    return [[rows[height - 1 - r][c] for r in range(height)] for c in range(width)]


def multiply(one, other):
    columns = transpose(other)
    return [[sum(a * b for a, b in zip(row, column)) for column in columns] for row in one]


def determinant(rows):
    """By the first row; 1 for the empty matrix."""
    if not rows:
        return 1
    head, *rest = rows
    return sum((-1) ** c * value * determinant([row[:c] + row[c + 1 :] for row in rest]) for c, value in enumerate(head))


def spiral(rows):
    """All values from the outside in, clockwise."""
    rows = [list(row) for row in rows]
    found = []
    while rows:
        found += rows.pop(0)
        rows = rotate(rotate(rotate(rows)))
    return found
