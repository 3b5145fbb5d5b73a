from fractions import Fraction

import pytest

from recipes.recipe import Ingredient, Recipe
from recipes.units import best_unit, convert, format_quantity, parse_quantity


def test_parse_quantity():
    assert parse_quantity("2") == 2
    assert parse_quantity("1 1/2") == Fraction(3, 2)
    assert parse_quantity("0.25") == Fraction(1, 4)
    with pytest.raises(ValueError):
        parse_quantity(" ")


def test_format_quantity():
    assert format_quantity(2) == "2"
    assert format_quantity(Fraction(3, 4)) == "3/4"
    assert format_quantity(Fraction(5, 2)) == "2 1/2"
    assert format_quantity(0) == "0"


def test_format_rounds_to_eighths():
    assert format_quantity(Fraction(1, 3)) == "3/8"
    assert format_quantity(Fraction(1, 100)) == "a pinch"


def test_format_just_below_a_whole():
    assert format_quantity(Fraction(199, 100)) == "2"


def test_convert():
    assert convert(1, "cup", "tbsp") == 16
    with pytest.raises(KeyError):
        convert(1, "cup", "gram")


def test_best_unit():
    assert best_unit(Fraction(6), "tsp") == (2, "tbsp")
    assert best_unit(Fraction(24), "tsp") == (Fraction(1, 2), "cup")
    assert best_unit(Fraction(3), "") == (3, "")


def test_ingredient():
    i = Ingredient.parse("flour: 2 1/2 cup")
    assert (i.name, i.amount, i.unit) == ("flour", Fraction(5, 2), "cup")
    assert str(i) == "2 1/2 cup flour"
    assert str(Ingredient.parse("eggs: 3")) == "3 eggs"


def test_scaled_card():
    r = Recipe("Pancakes", 4, [Ingredient.parse("flour: 2 cup"), Ingredient.parse("eggs: 2")])
    assert r.scaled(6).card() == "Pancakes (serves 6)\n- 3 cup flour\n- 3 eggs"
    assert r.card().startswith("Pancakes (serves 4)")


def test_scaled_needs_servings():
    with pytest.raises(ValueError):
        Recipe("x", 2).scaled(0)
