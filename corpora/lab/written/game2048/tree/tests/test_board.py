import pytest

from game2048.board import can_move, empty_board, free_cells, move, slide, transpose


@pytest.mark.parametrize(
    "line, expected, points",
    [
        ([0, 0, 0, 0], [0, 0, 0, 0], 0),
        ([0, 2, 0, 4], [2, 4, 0, 0], 0),
        ([2, 0, 0, 2], [4, 0, 0, 0], 4),
        ([8, 8, 2, 0], [16, 2, 0, 0], 16),
        ([2, 4, 2, 4], [2, 4, 2, 4], 0),
    ],
)
def test_slide(line, expected, points):
    assert slide(line) == (expected, points)


def test_new_tile_does_not_merge_again():
    assert slide([2, 2, 4, 0]) == ([4, 4, 0, 0], 4)


BOARD = [
    [2, 0, 0, 2],
    [0, 4, 0, 0],
    [0, 4, 0, 0],
    [2, 0, 0, 0],
]


def test_move_left():
    assert move(BOARD, "left") == (
        [[4, 0, 0, 0], [4, 0, 0, 0], [4, 0, 0, 0], [2, 0, 0, 0]],
        4,
    )


def test_move_right():
    board, points = move(BOARD, "right")
    assert [row[3] for row in board] == [4, 4, 4, 2]
    assert points == 4


def test_move_up():
    board, points = move(BOARD, "up")
    assert board[0] == [4, 8, 0, 2]
    assert points == 12


def test_move_down():
    board, _ = move(BOARD, "down")
    assert board[3] == [4, 8, 0, 2]


def test_move_leaves_the_board_alone():
    before = [row[:] for row in BOARD]
    move(BOARD, "up")
    assert BOARD == before


def test_unknown_direction():
    with pytest.raises(ValueError):
        move(BOARD, "north")


def test_free_cells():
    assert len(free_cells(empty_board())) == 16
    assert (0, 0) not in free_cells(BOARD)


def test_can_move():
    full = [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]]
    assert not can_move(full)
    full[3][3] = 4
    assert can_move(full)


def test_transpose():
    assert transpose([[1, 2], [3, 4]]) == [[1, 3], [2, 4]]
