import pytest

from linalg import Matrix, determinant, identity, inverse, rank, solve


@pytest.mark.parametrize("rows, expected", [
    ([[5]], 5),
    ([[1, 2], [3, 4]], -2),
    ([[2, 0, 0], [0, 3, 0], [0, 0, 4]], 24),
    ([[1, 2], [2, 4]], 0),
    ([[2, 1, 1], [1, 3, 2], [1, 0, 0]], -1),
])
def test_determinant(rows, expected):
    assert determinant(Matrix(rows)) == expected


def test_determinant_with_zero_pivot():
    assert determinant(Matrix([[0, 2], [3, 4]])) == -6


def test_determinant_with_two_exchanges():
    assert determinant(Matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])) == 1


def test_determinant_needs_square():
    with pytest.raises(ValueError):
        determinant(Matrix([[1, 2]]))


def test_rank():
    assert rank(Matrix([[1, 2], [2, 4]])) == 1
    assert rank(Matrix([[0, 0, 1], [0, 2, 0]])) == 2


def test_solve():
    assert solve(Matrix([[2, 1], [1, 3]]), [3, 5]) == [pytest.approx(0.8), pytest.approx(1.4)]


def test_solve_singular():
    with pytest.raises(ValueError):
        solve(Matrix([[1, 1], [1, 1]]), [1, 2])


def test_inverse():
    m = Matrix([[0, 2], [1, 3]])
    assert m @ inverse(m) == identity(2)
