ROWS = 6
COLS = 7
EMPTY = "."


class IllegalMove(Exception):
    pass


class Board:
    def __init__(self):
        # row 0 is the top
        self.grid = [[EMPTY] * COLS for _ in range(ROWS)]

    @classmethod
    def from_text(cls, text):
        board = cls()
        rows = [line.strip() for line in text.strip().splitlines()]
        if len(rows) > ROWS or any(len(row) != COLS for row in rows):
            raise ValueError("wrong size")
        for offset, row in enumerate(reversed(rows)):
            board.grid[ROWS - 1 - offset] = list(row)
        return board

    def legal_columns(self):
        return [c for c in range(COLS) if self.grid[0][c] == EMPTY]

    def drop(self, col, player):
        """Let a piece fall; returns the row where it lands."""
        if col not in range(COLS):
            raise IllegalMove(f"no column {col}")
        for row in range(ROWS - 1, -1, -1):
            if self.grid[row][col] == EMPTY:
                self.grid[row][col] = player
                return row
        raise IllegalMove(f"column {col} is full")

    def is_full(self):
        return not self.legal_columns()

    def __str__(self):
        return "\n".join("".join(row) for row in self.grid)
