"""Scaling of recipes and shopping lists made from them."""
from __future__ import annotations

from fractions import Fraction

from .model import Ingredient, Recipe


def scale(recipe: Recipe, servings: int) -> Recipe:
    """A new recipe for the given number of servings.

    Fixed ingredients and those to taste stay as they are. A note says
    what the recipe was scaled from. The two recipes share nothing.
    """
    if servings < 1:
        raise ValueError("servings must be at least 1")
    factor = Fraction(servings, recipe.servings)
    ingredients = [Ingredient(i.name, i.amount, i.unit, i.fixed) for i in recipe.ingredients]
    scaled = Recipe(recipe.title, servings, ingredients, list(recipe.notes))
    for ingredient in scaled.ingredients:
        if ingredient.amount is not None and not ingredient.fixed:
            ingredient.amount *= factor
    if factor != 1:
        scaled.notes.append(f"scaled from {recipe.servings} servings")
    return scaled


def shopping_list(recipes: list[Recipe]) -> dict[tuple[str, str], Fraction]:
    """Sum of the amounts by (name, unit)."""
    totals: dict[tuple[str, str], Fraction] = {}
    for recipe in recipes:
        for item in recipe.ingredients:
            if item.amount is None:
                continue
            key = (item.name, item.unit)
            totals[key] = totals.get(key, Fraction(0)) + item.amount
    return totals


def missing(needed: dict[tuple[str, str], Fraction], pantry: dict[tuple[str, str], Fraction]) -> list[Ingredient]:
    """What has to be bought, sorted by name."""
    out = []
    for (name, unit), amount in sorted(needed.items()):
        short = amount - pantry.get((name, unit), Fraction(0))
        if short > 0:
            out.append(Ingredient(name, short, unit))
    return out
