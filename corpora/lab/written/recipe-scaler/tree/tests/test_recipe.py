from fractions import Fraction

import pytest

from recipes.nutrition import kcal_per_serving
from recipes.recipe import Ingredient, Recipe, parse_ingredient

PANCAKES = """\
Pancakes (4 servings)
2½ cups flour
2 eggs
1/2 l milk
salt to taste
"""


def test_parse_ingredient():
    assert parse_ingredient("200 g sugar") == Ingredient("sugar", Fraction(200), "g")
    assert parse_ingredient("3 large eggs") == Ingredient("large eggs", Fraction(3))


def test_line_without_amount():
    assert parse_ingredient("salt to taste").amount is None


def test_scale_pancakes():
    recipe = Recipe.from_text(PANCAKES).scale_to(8)
    assert [str(i) for i in recipe.ingredients] == [
        "5 cups flour",
        "4 eggs",
        "1 l milk",
        "salt to taste",
    ]


def test_scale_needs_a_serving():
    with pytest.raises(ValueError):
        Recipe("Soup", 2).scale_to(0)


def test_kcal():
    recipe = Recipe("Bread", 2, [Ingredient("flour", Fraction(500), "g")])
    assert kcal_per_serving(recipe, {"flour": 340}) == 850
