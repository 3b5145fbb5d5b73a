from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from .quantity import format_quantity, parse_quantity


@dataclass
class Ingredient:
    name: str
    amount: Fraction | None = None   # None: "to taste"
    unit: str = ""
    fixed: bool = False              # does not grow with the servings, e.g. one bay leaf

    def line(self) -> str:
        if self.amount is None:
            return f"{self.name}, to taste"
        parts = [format_quantity(self.amount), self.unit, self.name]
        return " ".join(p for p in parts if p)


@dataclass
class Recipe:
    title: str
    servings: int
    ingredients: list[Ingredient] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, amount: str | None = None, unit: str = "", fixed: bool = False) -> Recipe:
        quantity = None if amount is None else parse_quantity(amount)
        self.ingredients.append(Ingredient(name, quantity, unit, fixed))
        return self

    def find(self, name: str) -> Ingredient:
        for ingredient in self.ingredients:
            if ingredient.name == name:
                return ingredient
        raise KeyError(name)

    def lines(self) -> list[str]:
        return [i.line() for i in self.ingredients]
