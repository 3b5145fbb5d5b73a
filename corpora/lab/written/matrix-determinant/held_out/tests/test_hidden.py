import copy
import itertools
import random

import pytest

from numtools.geometry import orientation, parabola_through, triangle_area
from numtools.matrix import determinant, identity, matmul, solve, transpose


def leibniz(m):
    n = len(m)
    total = 0
    for perm in itertools.permutations(range(n)):
        inversions = sum(perm[i] > perm[j] for i in range(n) for j in range(i + 1, n))
        product = -1 if inversions % 2 else 1
        for i in range(n):
            product *= m[i][perm[i]]
        total += product
    return total


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_permutation_matrix(n):
    for perm in itertools.permutations(range(n)):
        m = [[1 if perm[i] == j else 0 for j in range(n)] for i in range(n)]
        assert determinant(m) == pytest.approx(leibniz(m))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_random_integers(n):
    rng = random.Random(n)
    for _ in range(30):
        m = [[rng.randint(-9, 9) for _ in range(n)] for _ in range(n)]
        assert determinant(m) == pytest.approx(leibniz(m), abs=1e-6)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_random_floats(n):
    rng = random.Random(10 + n)
    for _ in range(20):
        m = [[rng.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
        assert determinant(m) == pytest.approx(leibniz(m), rel=1e-9, abs=1e-12)


def test_first_and_last_row_exchanged():
    assert determinant([[0, 0, 1], [0, 1, 0], [1, 0, 0]]) == pytest.approx(-1)


def test_two_exchanges():
    assert determinant([[0, 1, 0], [0, 0, 1], [1, 0, 0]]) == pytest.approx(1)
    assert determinant([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]) == pytest.approx(1)


def test_negative_pivots():
    assert determinant([[1, 2], [-3, 4]]) == pytest.approx(10)
    assert determinant([[-5, 0, 0], [0, 0, 1], [0, 1, 0]]) == pytest.approx(5)
    assert determinant([[-1, -2], [-3, -4]]) == pytest.approx(-2)


def test_small_values_are_not_zero():
    assert determinant([[0, 1e-5], [1e-5, 0]]) == pytest.approx(-1e-10, rel=1e-9)
    assert solve([[0, 1e-5], [1e-5, 0]], [3e-5, 2e-5]) == pytest.approx([2, 3])


def test_fractional_result():
    assert determinant([[0.5, 0.25], [1, 0.1]]) == pytest.approx(-0.2, rel=1e-12)
    assert determinant([[1.0, 1 / 3], [3.0, 0.0]]) == pytest.approx(-1.0, rel=1e-12)
    assert determinant([[0, 1 / 3], [1, 0]]) == pytest.approx(-1 / 3, rel=1e-12)


def test_empty_and_single():
    assert determinant([]) == 1
    assert determinant([[-4]]) == -4
    assert determinant([[0]]) == 0


def test_singular():
    assert determinant([[0, 0, 0], [1, 2, 3], [4, 5, 6]]) == 0
    assert determinant([[0, 1], [0, 2]]) == 0
    assert determinant([[1, 2, 1], [2, 4, 2], [1, 0, 3]]) == pytest.approx(0, abs=1e-12)


def test_not_square():
    for m in ([[1, 2]], [[1], [2]], [[1, 2], [3]]):
        with pytest.raises(ValueError):
            determinant(m)


def test_matrix_is_left_alone():
    m = [[0, 2, 1], [3, 1, 0], [5, 4, 2]]
    before = copy.deepcopy(m)
    determinant(m)
    assert m == before


def test_product_and_transpose_rules():
    rng = random.Random(3)
    for _ in range(10):
        a = [[rng.randint(-5, 5) for _ in range(4)] for _ in range(4)]
        b = [[rng.randint(-5, 5) for _ in range(4)] for _ in range(4)]
        assert determinant(matmul(a, b)) == pytest.approx(determinant(a) * determinant(b), abs=1e-6)
        assert determinant(transpose(a)) == pytest.approx(determinant(a), abs=1e-6)


def test_exchanging_rows_flips_the_sign():
    m = [[2, 1, 0, 3], [1, 0, 4, 1], [7, 2, 2, 5], [3, 3, 1, 1]]
    for i, j in itertools.combinations(range(4), 2):
        swapped = list(m)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        assert determinant(swapped) == pytest.approx(-determinant(m))


def test_solve():
    a = [[0, 2, 1, 0], [1, 0, 0, 3], [4, 1, 0, 0], [0, 0, 5, 1]]
    x = [1, -2, 3, 4]
    rhs = [sum(p * q for p, q in zip(row, x)) for row in a]
    assert solve(a, rhs) == pytest.approx(x)


def test_orientation():
    assert orientation((0, 0), (0, 3), (4, 0)) == -1
    assert orientation((5, 1), (-2, 3), (-1, -4)) == 1
    assert orientation((5, 1), (-1, -4), (-2, 3)) == -1
    assert orientation((0, 0), (1, 1), (2, 2)) == 0
    assert triangle_area((0, 0), (0, 3), (4, 0)) == pytest.approx(6)


def test_parabola():
    assert parabola_through([(0, 1), (1, 0), (3, 4)]) == pytest.approx((1, -2, 1))
    assert parabola_through([(-2, 9), (1, 0), (0, 1)]) == pytest.approx((1, -2, 1))


def test_identity_with_two_rows_exchanged():
    for n in (2, 3, 4, 5):
        m = identity(n)
        m[0], m[-1] = m[-1], m[0]
        assert determinant(m) == pytest.approx(-1)
