from fractions import Fraction

import pytest

from polynom import Poly, read
from polynom.poly import gcd


def test_degree():
    assert Poly([1, 2, 3]).degree == 2
    assert Poly([5]).degree == 0
    assert Poly([5, 0]).degree == 0
    assert Poly().degree == -1


def test_call():
    assert Poly([1, 2, 3])(2) == 17
    assert Poly()(4) == 0


def test_add():
    assert Poly([1, 2]) + Poly([0, 0, 3]) == Poly([1, 2, 3])


def test_sub_cancels_highest():
    p = Poly([1, 2, 3]) - Poly([0, 1, 3])
    assert p == Poly([1, 1])
    assert p.degree == 1


def test_sub_cancels_two():
    p = Poly([1, 2, 3]) - Poly([0, 2, 3])
    assert p.degree == 0
    assert p == Poly([1])


def test_mul():
    assert Poly([1, 1]) * Poly([-1, 1]) == Poly([-1, 0, 1])
    assert not Poly([1, 1]) * Poly()


def test_divmod():
    q, r = divmod(Poly([-1, 0, 1]), Poly([1, 1]))
    assert q == Poly([-1, 1])
    assert not r


def test_divmod_by_zero():
    with pytest.raises(ZeroDivisionError):
        divmod(Poly([1]), Poly())


def test_derivative():
    assert Poly([7, 3, 2]).derivative() == Poly([3, 4])
    assert Poly([7]).derivative() == Poly()


@pytest.mark.parametrize("coeffs, text", [
    ([], "0"),
    ([1, -1, 2], "2x^2 - x + 1"),
    ([0, -1], "-x"),
    ([Fraction(1, 2), 0, 0, 1], "x^3 + 1/2"),
])
def test_str(coeffs, text):
    assert str(Poly(coeffs)) == text


def test_gcd():
    assert gcd(Poly([-1, 0, 1]), Poly([1, 2, 1])) == Poly([1, 1])


def test_read():
    assert read("3x^2 - x + 1/2") == Poly([Fraction(1, 2), -1, 3])
    assert read("-x") == Poly([0, -1])
    with pytest.raises(ValueError):
        read("2y")
