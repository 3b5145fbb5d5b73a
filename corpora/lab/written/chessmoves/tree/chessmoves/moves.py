"""Moves of single pieces, without check, castling and en passant."""
from .board import inside, to_name, to_xy

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]


def slide(board, x, y, directions, white):
    """Squares a sliding piece reaches: up to a piece, an enemy's included."""
    for dx, dy in directions:
        tx, ty = x + dx, y + dy
        while inside(tx, ty):
            if board.at(tx, ty) is None:
                yield tx, ty
            else:
                if board.is_enemy(tx, ty, white):
                    yield tx, ty
                break
            tx += dx
            ty += dy


def step(board, x, y, offsets, white):
    for dx, dy in offsets:
        tx, ty = x + dx, y + dy
        if inside(tx, ty) and (board.at(tx, ty) is None or board.is_enemy(tx, ty, white)):
            yield tx, ty


def pawn(board, x, y, white):
    """One square ahead, two from the home row, captures to the sides."""
    ahead = 1 if white else -1
    home = 1 if white else 6
    if inside(x, y + ahead) and board.at(x, y + ahead) is None:
        yield x, y + ahead
    if y == home and board.at(x, y + 2 * ahead) is None:
        yield x, y + 2 * ahead
    for dx in (-1, 1):
        if inside(x + dx, y + ahead) and board.is_enemy(x + dx, y + ahead, white):
            yield x + dx, y + ahead


def moves_from(board, square):
    """Sorted names of the squares the piece on square may go to."""
    x, y = to_xy(square)
    piece = board.at(x, y)
    if piece is None:
        return []
    white = piece.isupper()
    kind = piece.upper()
    if kind == "P":
        found = pawn(board, x, y, white)
    elif kind == "N":
        found = step(board, x, y, KNIGHT, white)
    elif kind == "K":
        found = step(board, x, y, STRAIGHT + DIAGONAL, white)
    elif kind == "R":
        found = slide(board, x, y, STRAIGHT, white)
    elif kind == "B":
        found = slide(board, x, y, DIAGONAL, white)
    elif kind == "Q":
        found = slide(board, x, y, STRAIGHT + DIAGONAL, white)
    else:
        raise ValueError(f"unknown piece {piece!r}")
    return sorted(to_name(tx, ty) for tx, ty in found)
