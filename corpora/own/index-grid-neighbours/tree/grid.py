"""Fields of letters or numbers."""


class Grid:
    """A rectangle of cells, addressed by row and column."""

    def __init__(self, rows):
        self.rows = [list(row) for row in rows]
        if len({len(row) for row in self.rows}) > 1:
            raise ValueError("rows differ in length")

    @property
    def size(self):
        return len(self.rows), len(self.rows[0]) if self.rows else 0

    def neighbours(self, row, column):
        """Values of the up to eight cells around, row by row."""
        height, width = self.size
        found = []
        for r in range(max(0, row - 1), row + 2):
            for c in range(max(0, column - 1), column + 2):
                if (r, c) != (row, column):
                    found.append(self.rows[r][c])
        return found

    def count(self, value):
        return sum(row.count(value) for row in self.rows)


def next_generation(grid):
    """Conway's rule on a grid of 0 and 1."""
    height, width = grid.size
    new = []
    for r in range(height):
        alive = [sum(grid.neighbours(r, c)) for c in range(width)]
        new.append([int(n == 3 or (n == 2 and grid.rows[r][c])) for c, n in enumerate(alive)])
    return Grid(new)
