import pytest

from chessmoves.board import Board, to_name, to_xy

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_names():
    assert to_xy("a1") == (0, 0)
    assert to_xy("h8") == (7, 7)
    assert to_name(4, 3) == "e4"


@pytest.mark.parametrize("name", ["", "e", "i1", "a9", "a0", "e44"])
def test_bad_names(name):
    with pytest.raises(ValueError):
        to_xy(name)


def test_from_fen():
    board = Board.from_fen(START)
    assert len(board.grid) == 32
    assert board.at(4, 0) == "K"
    assert board.at(3, 7) == "q"


def test_bad_fen():
    with pytest.raises(ValueError):
        Board.from_fen("8/8/8")


def test_move_leaves_the_old_board():
    board = Board({"e2": "P"})
    later = board.move("e2", "e4")
    assert board.at(4, 1) == "P"
    assert later.at(4, 3) == "P" and later.at(4, 1) is None
