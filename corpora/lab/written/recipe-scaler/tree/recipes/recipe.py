import re
from dataclasses import dataclass, field, replace
from fractions import Fraction

from .quantity import GLYPHS, QuantityError, format_quantity, parse_quantity

UNITS = {"g", "kg", "ml", "l", "tsp", "tbsp", "cup", "cups", "pinch"}

_LEADING_AMOUNT = re.compile(r"^\s*([\d\s./,\-" + "".join(GLYPHS) + r"]+)(.*)$")


@dataclass(frozen=True)
class Ingredient:
    name: str
    amount: Fraction | None = None
    unit: str = ""

    def scaled(self, factor):
        if self.amount is None:
            return self
        return replace(self, amount=self.amount * factor)

    def __str__(self):
        words = []
        if self.amount is not None:
            words.append(format_quantity(self.amount))
        if self.unit:
            words.append(self.unit)
        words.append(self.name)
        return " ".join(words)


def parse_ingredient(line):
    """Read a line such as "1½ cups flour".

    A line without an amount ("salt to taste") gives an ingredient whose
    amount is None.
    """
    match = _LEADING_AMOUNT.match(line)
    if not match:
        if not line.strip():
            raise QuantityError("empty ingredient line")
        return Ingredient(line.strip())
    amount = parse_quantity(match.group(1))
    words = match.group(2).split()
    unit = words.pop(0) if words and words[0] in UNITS else ""
    return Ingredient(" ".join(words), amount, unit)


@dataclass
class Recipe:
    title: str
    servings: int
    ingredients: list = field(default_factory=list)

    @classmethod
    def from_text(cls, text):
        """First line "Title (4 servings)", then one ingredient per line."""
        head, *rest = [line for line in text.splitlines() if line.strip()]
        match = re.match(r"^(.*)\((\d+) servings?\)\s*$", head)
        if not match:
            raise ValueError(f"no servings in {head!r}")
        items = [parse_ingredient(line) for line in rest]
        return cls(match.group(1).strip(), int(match.group(2)), items)

    def scale_to(self, servings):
        """A new recipe for that many servings; this one stays as it is."""
        if servings < 1:
            raise ValueError("at least one serving")
        factor = Fraction(servings, self.servings)
        return Recipe(self.title, servings, [i.scaled(factor) for i in self.ingredients])
