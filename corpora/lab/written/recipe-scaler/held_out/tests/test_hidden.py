from fractions import Fraction

import pytest

from recipes.nutrition import total_kcal
from recipes.quantity import GLYPHS, QuantityError, parse_quantity
from recipes.recipe import Recipe, parse_ingredient


@pytest.mark.parametrize("glyph", list(GLYPHS))
def test_every_glyph_alone(glyph):
    assert parse_quantity(glyph) == Fraction(GLYPHS[glyph])


@pytest.mark.parametrize("glyph", list(GLYPHS))
@pytest.mark.parametrize("whole", ["1", "3", "12", "100"])
def test_every_glyph_behind_a_number(whole, glyph):
    expected = int(whole) + Fraction(GLYPHS[glyph])
    assert parse_quantity(whole + glyph) == expected
    assert parse_quantity(whole + " " + glyph) == expected
    assert parse_quantity("  " + whole + glyph + " ") == expected


@pytest.mark.parametrize("text, expected", [
    ("7", 7), ("10", 10), ("0.5", Fraction(1, 2)), ("0,75", Fraction(3, 4)),
    ("2 2/3", Fraction(8, 3)), ("11/2", Fraction(11, 2)), ("  3/4 ", Fraction(3, 4)),
])
def test_forms_without_glyphs(text, expected):
    assert parse_quantity(text) == expected


@pytest.mark.parametrize("text, expected", [
    ("2-3", 3), ("1½-2", 2), ("1-1½", Fraction(3, 2)), ("1½-2¼", Fraction(9, 4)),
    ("½-¾", Fraction(3, 4)), ("2 - 2½", Fraction(5, 2)), ("3-1½", 3), ("10-12½", Fraction(25, 2)),
])
def test_ranges(text, expected):
    assert parse_quantity(text) == expected


@pytest.mark.parametrize("text", [
    "", "  ", "abc", "x½", "½½", "1.5½", "1/2½", "1 2", "1 2 3", "1/0", "1 1/0",
    "-2", "2-", "1½½", "1 1/2 1/2", "1/2 1/2", "½ 1", "a 1/2", "1 0.5",
])
def test_refused(text):
    with pytest.raises(QuantityError):
        parse_quantity(text)


def test_exact_result():
    assert parse_quantity("1⅓") * 3 == 4
    assert isinstance(parse_quantity("1⅓"), Fraction)


def test_ingredient_lines():
    item = parse_ingredient("12½ g yeast")
    assert (item.amount, item.unit, item.name) == (Fraction(25, 2), "g", "yeast")
    assert parse_ingredient("1¼ cups milk").amount == Fraction(5, 4)
    assert parse_ingredient("2⅔ tbsp oil").amount == Fraction(8, 3)


def test_scaling_and_calories():
    recipe = Recipe.from_text("Dough (2 servings)\n1¾ cups flour\n1⅓ tbsp oil\n")
    assert [str(i) for i in recipe.scale_to(6).ingredients] == ["5 1/4 cups flour", "4 tbsp oil"]
    assert total_kcal(recipe, {"flour": 100, "oil": 900}) == 420 + 180
