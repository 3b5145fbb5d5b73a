from fractions import Fraction

import pytest

from linalg import Matrix, determinant, identity, inverse


@pytest.mark.parametrize("rows, expected", [
    ([[0, 1], [1, 0]], -1),
    ([[0, -2], [3, 4]], 6),
    ([[0, 2], [-3, 4]], 6),
    ([[0, 1, 0], [1, 0, 0], [0, 0, 1]], -1),
    ([[0, 0, 1], [0, 1, 0], [1, 0, 0]], -1),
    ([[0, 0, 1], [1, 0, 0], [0, 1, 0]], 1),
    ([[1, 0, 0], [0, 0, 1], [0, 1, 0]], -1),
    ([[1, 2, 3], [1, 2, 4], [2, 5, 6]], -1),
    ([[2, 4, 1], [1, 2, 3], [3, 1, 1]], 25),
    ([[0, 0, 2], [0, 3, 0], [-1, 0, 0]], 6),
    ([[0, 0], [0, 1]], 0),
    ([[0, 1], [0, 2]], 0),
    ([[0, 0], [0, 0]], 0),
    ([[0]], 0),
    ([[-7]], -7),
    ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 0),
    ([[0, 1, 2], [0, 3, 4], [0, 5, 6]], 0),
    ([[2, 0], [0, -3]], -6),
    ([[-1, 0], [0, -1]], 1),
    ([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], 1),
    ([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]], -1),
    ([[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]], 1),
    ([[0, 0, 0, 2], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], -2),
    ([[1, 1, 1, 1], [1, 1, 2, 3], [1, 2, 2, 1], [1, 3, 5, 2]], 3),
    ([[Fraction(1, 2), 1], [1, Fraction(1, 3)]], Fraction(-5, 6)),
])
def test_determinant(rows, expected):
    assert determinant(Matrix(rows)) == expected


def test_exchange_of_rows_changes_the_sign():
    rows = [[3, 1, 4], [1, 5, 9], [2, 6, 5]]
    assert determinant(Matrix([rows[1], rows[0], rows[2]])) == -determinant(Matrix(rows))


def test_product_rule():
    a, b = Matrix([[0, 2, 1], [1, 0, 3], [4, 1, 0]]), Matrix([[0, 1, 1], [0, 0, 2], [3, 1, 0]])
    assert determinant(a @ b) == determinant(a) * determinant(b)


def test_transpose_has_the_same():
    m = Matrix([[0, 2, 1], [0, 0, 3], [4, 1, 7]])
    assert determinant(m) == determinant(m.transpose()) == 24


def test_inverse_has_the_reciprocal():
    m = Matrix([[0, 2], [3, 4]])
    assert determinant(inverse(m)) == Fraction(-1, 6)
    assert determinant(identity(5)) == 1


def test_argument_stays():
    m = Matrix([[0, 2], [3, 4]])
    determinant(m)
    assert m == Matrix([[0, 2], [3, 4]])
