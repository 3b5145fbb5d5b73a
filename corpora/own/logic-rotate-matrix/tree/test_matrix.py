import pytest

from matrix import determinant, multiply, rotate, spiral, transpose

SQUARE = [[1, 2], [3, 4]]


def test_transpose():
    assert transpose([[1, 2, 3], [4, 5, 6]]) == [[1, 4], [2, 5], [3, 6]]


def test_rotate():
    assert rotate(SQUARE) == [[3, 1], [4, 2]]


def test_rotate_a_row():
    assert rotate([[1, 2, 3]]) == [[1], [2], [3]]


def test_rotate_nothing():
    assert rotate([]) == []


def test_four_turns():
    turned = [[1, 2, 3], [4, 5, 6]]
    for _ in range(4):
        turned = rotate(turned)
    assert turned == [[1, 2, 3], [4, 5, 6]]


def test_multiply():
    assert multiply(SQUARE, [[0, 1], [1, 0]]) == [[2, 1], [4, 3]]


@pytest.mark.parametrize(("rows", "expected"), [([], 1), ([[7]], 7), (SQUARE, -2), ([[2, 0, 1], [1, 3, 2], [1, 1, 1]], 0)])
def test_determinant(rows, expected):
    assert determinant(rows) == expected


def test_spiral():
    assert spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]) == [1, 2, 3, 6, 9, 8, 7, 4, 5]
