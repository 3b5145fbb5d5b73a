from chessmoves.attack import all_moves, can_capture
from chessmoves.board import Board
from chessmoves.moves import moves_from

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def test_empty_square():
    assert moves_from(Board(), "e4") == []


def test_rook_alone():
    assert len(moves_from(Board({"d4": "R"}), "d4")) == 14


def test_rook_stops():
    board = Board({"a1": "R", "a3": "p", "c1": "P"})
    assert moves_from(board, "a1") == ["a2", "a3", "b1"]


def test_bishop():
    assert moves_from(Board({"a1": "B", "d4": "n"}), "a1") == ["b2", "c3", "d4"]


def test_knight_in_corner():
    assert moves_from(Board({"h8": "n"}), "h8") == ["f7", "g6"]


def test_king():
    assert len(moves_from(Board({"e4": "K", "e5": "P"}), "e4")) == 7


def test_pawn_from_home():
    assert moves_from(Board({"e2": "P"}), "e2") == ["e3", "e4"]
    assert moves_from(Board({"e7": "p"}), "e7") == ["e5", "e6"]


def test_pawn_later():
    assert moves_from(Board({"e3": "P"}), "e3") == ["e4"]


def test_pawn_captures():
    board = Board({"e4": "P", "d5": "p", "f5": "P", "e5": "n"})
    assert moves_from(board, "e4") == ["d5"]


def test_pawn_two_squares_taken():
    assert moves_from(Board({"e2": "P", "e4": "p"}), "e2") == ["e3"]


def test_pawn_blocked():
    assert moves_from(Board({"e2": "P", "e3": "n"}), "e2") == []


def test_start_position():
    board = Board.from_fen(START)
    assert len(all_moves(board, True)) == 20
    assert len(all_moves(board, False)) == 20


def test_can_capture():
    board = Board({"e4": "P", "d5": "p", "e8": "r", "e1": "K"})
    assert can_capture(board, "e4") == ["d5", "e8"]
