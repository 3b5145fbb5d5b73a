from fractions import Fraction

import pytest

from polynom import Poly, read
from polynom.poly import gcd


@pytest.mark.parametrize("coeffs, expected", [
    ([], ()),
    ([0], ()),
    ([0, 0], ()),
    ([0, 0, 0, 0, 0], ()),
    ([4], (4,)),
    ([4, 0, 0, 0], (4,)),
    ([1, 2, 0, 0, 0, 0], (1, 2)),
    ([0, 1, 0], (0, 1)),
    ([0, 0, 3, 0, 0], (0, 0, 3)),
    ([1, 0, 2, 0, 0, 0], (1, 0, 2)),
    ([0, 0, 3], (0, 0, 3)),
    ([1, 0, 0, 1], (1, 0, 0, 1)),
    ([-1, 0, -2, 0], (-1, 0, -2)),
])
def test_coefficients(coeffs, expected):
    p = Poly(coeffs)
    assert p.coeffs == expected
    assert isinstance(p.coeffs, tuple)
    assert p.degree == len(expected) - 1


def test_tiny_coefficients_are_not_zero():
    tiny = Fraction(1, 10**12)
    assert Poly([1, tiny]).degree == 1
    assert Poly([1, tiny, 0, 0]).coeffs == (1, tiny)


def test_tiny_difference():
    a = Poly([0, Fraction(1, 10**10)])
    assert (a - Poly([0, Fraction(2, 10**10)])).coeffs == (0, Fraction(-1, 10**10))


def test_fraction_lead_below_one():
    assert Poly([1, Fraction(1, 2), 0]).degree == 1


def test_cancel_many():
    p = Poly([1, 2, 3, 4, 5]) - Poly([0, 2, 3, 4, 5])
    assert p == Poly([1])
    assert hash(p) == hash(Poly([1]))


def test_cancel_all():
    p = Poly([1, 2, 3, 4]) - Poly([1, 2, 3, 4])
    assert p == Poly()
    assert p.degree == -1
    assert not p
    assert str(p) == "0"


def test_cancel_leaves_inner_zero():
    p = Poly([0, 3, 0, 7]) - Poly([0, 0, 0, 7])
    assert p.coeffs == (0, 3)


def test_derivative_and_zero_product():
    assert Poly([0, 0, 0, 1]).derivative().coeffs == (0, 0, 3)
    assert (Poly([0, 0]) * Poly([1, 2])).degree == -1


def test_divmod_rest_of_low_degree():
    q, r = divmod(Poly([1, 0, 0, 0, 1]), Poly([0, 0, 1]))
    assert q == Poly([0, 0, 1])
    assert r == Poly([1])


def test_divmod_exact():
    a, b = Poly([1, 0, 2]), Poly([3, 0, 0, 1])
    q, r = divmod(a * b, b)
    assert q == a
    assert r == Poly()


def test_gcd_of_x_powers():
    assert gcd(Poly([0, 0, 0, 1]), Poly([0, 1, 0, 0])) == Poly([0, 1])


def test_zero_polynomial_cannot_divide():
    with pytest.raises(ZeroDivisionError):
        divmod(Poly([1, 1]), Poly([0, 0, 0]))


def test_read_cancelling_terms():
    assert read("x^3 + x - x^3").coeffs == (0, 1)
    assert read("2x^2 - 2x^2 + 0x").degree == -1
