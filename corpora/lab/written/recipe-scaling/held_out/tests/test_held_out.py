from fractions import Fraction

import pytest

from recipes.model import Recipe
from recipes.scaling import scale


def stew():
    return (Recipe("Stew", 4, notes=["slow"]).add("carrot", "3").add("wine", "1/2", "l")
            .add("clove", "2", fixed=True).add("pepper"))


@pytest.mark.parametrize("servings, carrot, wine", [
    (1, Fraction(3, 4), Fraction(1, 8)), (2, Fraction(3, 2), Fraction(1, 4)), (3, Fraction(9, 4), Fraction(3, 8)),
    (4, 3, Fraction(1, 2)), (6, Fraction(9, 2), Fraction(3, 4)), (8, 6, 1), (100, 75, Fraction(25, 2)),
])
def test_amounts_and_original(servings, carrot, wine):
    recipe = stew()
    out = scale(recipe, servings)
    assert out.find("carrot").amount == carrot
    assert out.find("wine").amount == wine
    assert out.find("clove").amount == 2
    assert out.find("pepper").amount is None
    assert recipe == stew()


def test_everything_is_kept():
    out = scale(stew(), 8)
    assert [i.name for i in out.ingredients] == ["carrot", "wine", "clove", "pepper"]
    assert [i.unit for i in out.ingredients] == ["", "l", "", ""]
    assert [i.fixed for i in out.ingredients] == [False, False, True, False]
    assert out.title == "Stew"


def test_twice_from_the_same_recipe():
    recipe = stew()
    assert scale(recipe, 8) == scale(recipe, 8)


def test_up_and_down_again():
    recipe = stew()
    back = scale(scale(recipe, 8), 4)
    assert back.ingredients == recipe.ingredients
    assert back.notes == ["slow", "scaled from 4 servings", "scaled from 8 servings"]


def test_scaled_fixed_is_still_fixed_when_scaled_again():
    assert scale(scale(stew(), 8), 16).find("clove").amount == 2


@pytest.mark.parametrize("name", ["carrot", "clove", "pepper"])
def test_new_recipe_shares_no_ingredient(name):
    recipe = stew()
    out = scale(recipe, 8)
    out.find(name).unit = "handful"
    assert recipe.find(name).unit == ""


def test_new_recipe_shares_no_list():
    recipe = stew()
    out = scale(recipe, 4)
    out.add("leek", "1")
    out.notes.append("x")
    assert recipe == stew()


@pytest.mark.parametrize("servings", [0, -1])
def test_bad(servings):
    with pytest.raises(ValueError):
        scale(stew(), servings)
