import pytest

from four.board import Board, IllegalMove
from four.game import Game, replay
from four.rules import threats, wins


def test_drop_stacks():
    b = Board()
    assert b.drop(3, "X") == 5
    assert b.drop(3, "O") == 4


def test_full_column():
    b = Board()
    for _ in range(6):
        b.drop(0, "X")
    with pytest.raises(IllegalMove):
        b.drop(0, "O")
    assert b.legal_columns() == [1, 2, 3, 4, 5, 6]


def test_no_such_column():
    with pytest.raises(IllegalMove):
        Board().drop(7, "X")


def test_from_text():
    b = Board.from_text("X......\nXO.....")
    assert b.grid[5][1] == "O"
    assert b.grid[4][0] == "X"
    with pytest.raises(ValueError):
        Board.from_text("XX")


def test_turns():
    g = Game()
    assert g.to_move == "X"
    g.play(0)
    assert g.to_move == "O"


def test_horizontal_win():
    assert replay("1122334").winner == "X"


def test_vertical_win():
    assert replay("1212121").winner == "X"


def test_diagonal_win():
    b = Board.from_text("....X..\n...XO..\n..XOO..\n.XOOO..")
    assert wins(b.grid, 3, 3)


def test_no_line_around_the_edge():
    b = Board.from_text("XXX...X")
    assert not wins(b.grid, 5, 0)


def test_game_over():
    g = replay("1212121")
    with pytest.raises(IllegalMove):
        g.play(0)


def test_threats():
    b = Board.from_text(".XXX...")
    assert threats(b, "X") == [0, 4]
    assert str(b).endswith(".XXX...")
