"""Questions about attacked squares."""
from .board import to_name, to_xy
from .moves import moves_from


def pieces_of(board, white):
    """Names of the squares where one side has pieces."""
    return sorted(
        to_name(x, y) for (x, y), piece in board.grid.items() if piece.isupper() == white
    )


def all_moves(board, white):
    """Every (from, to) pair of one side."""
    return [
        (source, target)
        for source in pieces_of(board, white)
        for target in moves_from(board, source)
    ]


def can_capture(board, square):
    """Squares of enemy pieces that could take the piece on square."""
    x, y = to_xy(square)
    piece = board.at(x, y)
    if piece is None:
        return []
    return [s for s, t in all_moves(board, not piece.isupper()) if t == square]
