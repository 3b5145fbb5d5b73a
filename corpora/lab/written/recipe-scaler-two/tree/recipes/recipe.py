from dataclasses import dataclass, field
from fractions import Fraction

from recipes.units import best_unit, format_quantity, parse_quantity


@dataclass
class Ingredient:
    name: str
    amount: Fraction
    unit: str = ""

    @classmethod
    def parse(cls, line):
        """Read 'flour: 2 1/2 cup' or 'eggs: 3'."""
        name, _, rest = line.partition(":")
        words = rest.split()
        unit = ""
        if words and words[-1].isalpha():
            unit = words.pop()
        return cls(name.strip(), parse_quantity(" ".join(words)), unit)

    def __str__(self):
        amount, unit = best_unit(self.amount, self.unit)
        return " ".join(p for p in (format_quantity(amount), unit, self.name) if p)


@dataclass
class Recipe:
    title: str
    servings: int
    ingredients: list = field(default_factory=list)

    def scaled(self, servings):
        if servings < 1:
            raise ValueError("at least one serving")
        factor = Fraction(servings, self.servings)
        return Recipe(
            self.title,
            servings,
            [Ingredient(i.name, i.amount * factor, i.unit) for i in self.ingredients],
        )

    def card(self):
        lines = [f"{self.title} (serves {self.servings})"]
        lines += [f"- {i}" for i in self.ingredients]
        return "\n".join(lines)
