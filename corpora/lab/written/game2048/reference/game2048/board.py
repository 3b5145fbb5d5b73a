"""The 4x4 board of 2048 and its moves. Empty cells are 0."""

SIZE = 4
MOVES = ("left", "right", "up", "down")


def empty_board(size=SIZE):
    return [[0] * size for _ in range(size)]


def transpose(board):
    return [list(column) for column in zip(*board)]


def mirror(board):
    return [row[::-1] for row in board]


def slide(line):
    """Slide the tiles of a line to the left, merging equal neighbours.

    Pairs merge from the left, and a tile made by a merge does not merge
    again in the same move. Returns the new line and the points won, which
    are the values of the new tiles.
    """
    tiles = [tile for tile in line if tile]
    merged = []
    points = 0
    fresh = False
    for tile in tiles:
        if merged and merged[-1] == tile and not fresh:
            merged[-1] *= 2
            points += merged[-1]
            fresh = True
        else:
            merged.append(tile)
            fresh = False
    return merged + [0] * (len(line) - len(merged)), points


def move(board, direction):
    """The board after a move, and the points won. The board is not changed."""
    if direction not in MOVES:
        raise ValueError(f"unknown direction: {direction}")
    if direction in ("up", "down"):
        turned, points = move(transpose(board), "left" if direction == "up" else "right")
        return transpose(turned), points
    rows = mirror(board) if direction == "right" else board
    result, points = [], 0
    for row in rows:
        line, won = slide(row)
        result.append(line)
        points += won
    return (mirror(result) if direction == "right" else result), points


def free_cells(board):
    return [
        (r, c) for r, row in enumerate(board) for c, tile in enumerate(row) if not tile
    ]


def can_move(board):
    """True if any direction changes the board."""
    return any(move(board, direction)[0] != board for direction in MOVES)
