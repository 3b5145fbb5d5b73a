from fractions import Fraction as F

import pytest

from recipes.recipe import Ingredient, Recipe
from recipes.units import format_quantity


@pytest.mark.parametrize(
    "amount, want",
    [
        (0, "0"),
        (F(0), "0"),
        (1, "1"),
        (12, "12"),
        (F(1, 2), "1/2"),
        (F(1, 4), "1/4"),
        (F(3, 8), "3/8"),
        (F(7, 8), "7/8"),
        (F(15, 8), "1 7/8"),
        (F(9, 4), "2 1/4"),
        (F(2, 3), "5/8"),
        (F(4, 3), "1 3/8"),
        (F(1, 10), "1/8"),
        (F(1, 50), "a pinch"),
        (F(101, 100), "1"),
        (F(51, 50), "1"),
    ],
)
def test_ordinary(amount, want):
    assert format_quantity(amount) == want


@pytest.mark.parametrize(
    "amount, want",
    [
        (F(99, 100), "1"),
        (F(19, 20), "1"),
        (F(199, 100), "2"),
        (F(39, 20), "2"),
        (F(599, 200), "3"),
        (F(2999, 1000), "3"),
        (F(999, 100), "10"),
        (F(1999, 100), "20"),
    ],
)
def test_rounding_up_to_a_whole(amount, want):
    assert format_quantity(amount) == want


@pytest.mark.parametrize(
    "amount, want",
    [
        (F(92, 100), "7/8"),
        (F(192, 100), "1 7/8"),
        (F(93, 100), "7/8"),
        (F(94, 100), "1"),
        (F(293, 100), "2 7/8"),
        (F(294, 100), "3"),
    ],
)
def test_around_the_last_eighth(amount, want):
    assert format_quantity(amount) == want


def test_whole_part_is_kept():
    for whole in range(1, 6):
        for k in range(8):
            frac = F(k, 8)
            want = f"{whole} {frac}" if k else str(whole)
            assert format_quantity(whole + frac) == want


def test_scaled_recipe():
    r = Recipe("Sauce", 100, [Ingredient("stock", F(200), "litre")])
    assert r.scaled(1).card() == "Sauce (serves 1)\n- 2 litre stock"
    r = Recipe("Sauce", 100, [Ingredient("stock", F(199), "litre")])
    assert r.scaled(1).card() == "Sauce (serves 1)\n- 2 litre stock"


def test_floats_too():
    assert format_quantity(0.5) == "1/2"
    assert format_quantity(1.99) == "2"
