import pytest

from chessmoves.attack import all_moves
from chessmoves.board import Board
from chessmoves.moves import moves_from


@pytest.mark.parametrize("pieces, square, expected", [
    ({"e2": "P", "e3": "p"}, "e2", []),
    ({"e2": "P", "e3": "N"}, "e2", []),
    ({"a2": "P", "a3": "K"}, "a2", []),
    ({"h2": "P", "h3": "q"}, "h2", []),
    ({"e7": "p", "e6": "P"}, "e7", []),
    ({"e7": "p", "e6": "n"}, "e7", []),
    ({"c7": "p", "c6": "Q", "c5": "Q"}, "c7", []),
    ({"e2": "P", "e4": "P"}, "e2", ["e3"]),
    ({"e7": "p", "e5": "P"}, "e7", ["e6"]),
    ({"e7": "p", "e5": "p"}, "e7", ["e6"]),
    ({"e2": "P", "e3": "n", "d3": "p", "f3": "p"}, "e2", ["d3", "f3"]),
    ({"e7": "p", "e6": "N", "d6": "P", "f6": "p"}, "e7", ["d6"]),
    ({"e2": "P", "d3": "p"}, "e2", ["d3", "e3", "e4"]),
    ({"a7": "p", "b6": "N"}, "a7", ["a5", "a6", "b6"]),
    ({"e7": "P"}, "e7", ["e8"]),
    ({"e2": "p"}, "e2", ["e1"]),
    ({"e8": "P"}, "e8", []),
    ({"e1": "p"}, "e1", []),
    ({"e1": "P"}, "e1", ["e2"]),
    ({"e5": "p"}, "e5", ["e4"]),
    ({"e4": "P", "e5": "p"}, "e4", []),
    ({"h4": "P", "g5": "b"}, "h4", ["g5", "h5"]),
    ({"a2": "P", "b3": "n", "b4": "n"}, "a2", ["a3", "a4", "b3"]),
    ({"e2": "P", "e1": "R", "e5": "p"}, "e2", ["e3", "e4"]),
    ({"e7": "P", "e8": "r", "d8": "n"}, "e7", ["d8"]),
])
def test_pawn(pieces, square, expected):
    assert moves_from(Board(pieces), square) == expected


def test_all_moves_with_knights_before_pawns():
    board = Board({"b2": "P", "b3": "N", "g2": "P", "g3": "n"})
    targets = [t for s, t in all_moves(board, True) if s in ("b2", "g2")]
    assert targets == []


def test_own_pawn_pair_in_one_file():
    assert moves_from(Board({"d2": "P", "d3": "P"}), "d2") == []
