import pytest

from four.board import COLS, ROWS, Board
from four.game import replay
from four.rules import run_length, threats, wins


def grid(*cells):
    b = Board()
    for r, c in cells:
        b.grid[r][c] = "X"
    return b.grid


# --- real lines, also at the edges


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize("row", [0, 5])
def test_rows(row, start):
    cells = [(row, start + i) for i in range(4)]
    assert all(wins(grid(*cells), r, c) for r, c in cells)


@pytest.mark.parametrize("start", range(3))
@pytest.mark.parametrize("col", [0, 6])
def test_columns(col, start):
    cells = [(start + i, col) for i in range(4)]
    assert all(wins(grid(*cells), r, c) for r, c in cells)


@pytest.mark.parametrize("r0,c0,dc", [(0, 0, 1), (2, 3, 1), (2, 0, 1), (0, 3, 1), (0, 3, -1), (0, 6, -1), (2, 3, -1), (2, 6, -1)])
def test_diagonals(r0, c0, dc):
    cells = [(r0 + i, c0 + i * dc) for i in range(4)]
    assert all(wins(grid(*cells), r, c) for r, c in cells)


# --- nothing goes around the edge


@pytest.mark.parametrize("row", range(ROWS))
def test_rows_do_not_wrap(row):
    cells = [(row, c) for c in (0, 1, 2, 6)]
    assert not any(wins(grid(*cells), r, c) for r, c in cells)
    cells = [(row, c) for c in (0, 1, 5, 6)]
    assert not any(wins(grid(*cells), r, c) for r, c in cells)


@pytest.mark.parametrize("col", range(COLS))
def test_columns_do_not_wrap(col):
    cells = [(r, col) for r in (0, 1, 2, 5)]
    assert not any(wins(grid(*cells), r, c) for r, c in cells)


def test_diagonals_do_not_wrap_sideways():
    cells = [(3, 0), (4, 1), (5, 2), (2, 6)]
    assert not any(wins(grid(*cells), r, c) for r, c in cells)


def test_diagonals_do_not_wrap_upwards():
    cells = [(0, 3), (1, 4), (2, 5), (5, 2)]
    assert not any(wins(grid(*cells), r, c) for r, c in cells)


def test_antidiagonals_do_not_wrap():
    cells = [(2, 0), (1, 1), (0, 2), (5, 3)]
    assert not any(wins(grid(*cells), r, c) for r, c in cells)
    cells = [(0, 6), (1, 5), (2, 4), (5, 0)]
    assert not any(wins(grid(*cells), r, c) for r, c in cells)
    cells = [(3, 6), (4, 5), (5, 4), (2, 0)]
    assert not any(wins(grid(*cells), r, c) for r, c in cells)


def test_corner_does_not_wrap():
    cells = [(0, 0), (1, 1), (2, 2), (5, 6)]
    assert not any(wins(grid(*cells), r, c) for r, c in cells)


# --- the length itself


def test_run_length():
    g = grid((5, 0), (5, 1), (5, 2), (5, 6))
    assert run_length(g, 5, 2, 0, -1) == 2
    assert run_length(g, 5, 2, 0, 1) == 0
    assert run_length(g, 5, 0, 0, -1) == 0
    assert run_length(g, 5, 0, 0, 1) == 2


def test_run_length_up_to_the_top():
    g = grid((0, 4), (1, 4), (2, 4), (5, 4))
    assert run_length(g, 2, 4, -1, 0) == 2
    assert run_length(g, 0, 4, -1, 0) == 0
    assert run_length(g, 0, 4, 1, 0) == 2


def test_run_length_of_a_whole_row():
    g = grid(*[(3, c) for c in range(COLS)])
    assert run_length(g, 3, 6, 0, -1) == 6
    assert run_length(g, 3, 3, 0, -1) == 3


def test_other_player_stops_the_run():
    g = grid((5, 0), (5, 1), (5, 3))
    g[5][2] = "O"
    assert run_length(g, 5, 3, 0, -1) == 0
    assert run_length(g, 5, 1, 0, -1) == 1


def test_threats():
    assert threats(Board.from_text("XXX...."), "X") == [3]
    assert threats(Board.from_text("XX....X"), "X") == []
    assert threats(Board.from_text("....XXX"), "X") == [3]


def test_game_to_the_left_edge():
    assert replay("3322110").winner == "X"
