"""Rough calories of a recipe, from a table of kcal per 100 g."""
from fractions import Fraction

GRAMS_PER_UNIT = {
    "g": 1,
    "kg": 1000,
    "ml": 1,
    "l": 1000,
    "tsp": 5,
    "tbsp": 15,
    "cup": 240,
    "cups": 240,
}


def grams(ingredient):
    """Weight in grams, or None if the unit tells us nothing."""
    if ingredient.amount is None or ingredient.unit not in GRAMS_PER_UNIT:
        return None
    return ingredient.amount * GRAMS_PER_UNIT[ingredient.unit]


def total_kcal(recipe, table):
    """Calories of the whole recipe; ingredients not in the table count 0."""
    total = Fraction(0)
    for item in recipe.ingredients:
        weight = grams(item)
        if weight is None or item.name not in table:
            continue
        total += weight * Fraction(table[item.name]) / 100
    return total


def kcal_per_serving(recipe, table):
    return round(total_kcal(recipe, table) / recipe.servings)
