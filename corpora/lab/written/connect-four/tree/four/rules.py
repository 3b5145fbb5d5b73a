from four.board import COLS, EMPTY, ROWS

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def run_length(grid, row, col, dr, dc):
    """How many pieces of the same player follow (row, col) in a direction.

    The piece at (row, col) itself is not counted.
    """
    player = grid[row][col]
    count = 0
    r, c = row + dr, col + dc
    while r < ROWS and c < COLS and grid[r][c] == player:
        count += 1
        r += dr
        c += dc
    return count


def wins(grid, row, col):
    """Does the piece at (row, col) stand in a line of four or more?"""
    if grid[row][col] == EMPTY:
        return False
    for dr, dc in DIRECTIONS:
        line = 1 + run_length(grid, row, col, dr, dc) + run_length(grid, row, col, -dr, -dc)
        if line >= 4:
            return True
    return False


def threats(board, player):
    """Columns in which the player would win with the next piece."""
    found = []
    for col in board.legal_columns():
        row = board.drop(col, player)
        if wins(board.grid, row, col):
            found.append(col)
        board.grid[row][col] = EMPTY
    return found
