import pytest

from numtools.geometry import orientation, triangle_area
from numtools.matrix import determinant, identity, matmul, shape, solve, trace, transpose


def test_shape():
    assert shape([[1, 2, 3], [4, 5, 6]]) == (2, 3)
    with pytest.raises(ValueError):
        shape([[1, 2], [3]])


def test_transpose():
    assert transpose([[1, 2, 3], [4, 5, 6]]) == [[1, 4], [2, 5], [3, 6]]


def test_matmul():
    assert matmul([[1, 2], [3, 4]], [[0, 1], [1, 0]]) == [[2, 1], [4, 3]]
    with pytest.raises(ValueError):
        matmul([[1, 2]], [[1, 2]])


def test_trace():
    assert trace([[1, 2], [3, 4]]) == 5


def test_determinant_of_identity():
    assert determinant(identity(4)) == 1


def test_determinant_of_triangular_matrix():
    assert determinant([[2, 5, 7], [0, -3, 1], [0, 0, 4]]) == pytest.approx(-24)


def test_determinant_small():
    assert determinant([[7]]) == 7
    assert determinant([[-2]]) == -2
    assert determinant([]) == 1


def test_determinant_two_by_two():
    assert determinant([[1, 2], [3, 4]]) == pytest.approx(-2)
    assert determinant([[0, 1], [1, 0]]) == pytest.approx(-1)


def test_determinant_three_by_three():
    assert determinant([[1, 2, 0], [3, 1, 0], [0, 0, 2]]) == pytest.approx(-10)


def test_determinant_leaves_the_matrix_alone():
    m = [[1, 2], [3, 4]]
    determinant(m)
    assert m == [[1, 2], [3, 4]]


def test_singular():
    assert determinant([[1, 2], [2, 4]]) == 0
    assert determinant([[0, 0], [0, 5]]) == 0


def test_determinant_needs_a_square():
    with pytest.raises(ValueError):
        determinant([[1, 2, 3], [4, 5, 6]])


def test_solve():
    assert solve([[2, 0], [0, 4]], [6, 8]) == pytest.approx([3, 2])
    with pytest.raises(ValueError):
        solve([[1, 1], [1, 1]], [1, 2])


def test_solve_with_exchange():
    assert solve([[1, 2], [3, 4]], [5, 11]) == pytest.approx([1, 2])


def test_triangle():
    assert triangle_area((0, 0), (4, 0), (0, 3)) == pytest.approx(6)
    assert orientation((0, 0), (4, 0), (0, 3)) == 1
