import pytest

from linalg import Matrix, identity


def test_ragged_rows():
    with pytest.raises(ValueError):
        Matrix([[1, 2], [3]])
    with pytest.raises(ValueError):
        Matrix([])


def test_add_and_scale():
    m = Matrix([[1, 2], [3, 4]])
    assert m + m == m.scale(2)


def test_product():
    a = Matrix([[1, 2, 3], [4, 5, 6]])
    b = Matrix([[1, 0], [0, 1], [1, 1]])
    assert a @ b == Matrix([[4, 5], [10, 11]])
    with pytest.raises(ValueError):
        a @ a


def test_transpose():
    assert Matrix([[1, 2, 3]]).transpose() == Matrix([[1], [2], [3]])


def test_identity():
    m = Matrix([[1, 2], [3, 4]])
    assert m @ identity(2) == m
