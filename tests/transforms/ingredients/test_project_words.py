"""Ingredients from modules that a module imports."""

from __future__ import annotations

import ast

from analysis.project_files import ImportedName
from transforms.ingredients.project_words import DISTANCE, MOST_CALLEES, with_project
from transforms.ingredients.within_reach import Ingredients
from transforms.ingredients.word_counts import Ingredient

TAX = ast.parse(
    """
def rate_of(country, strict=False):
    return country

class Rate:
    limit: int

    def __init__(self, value, region=None):
        self.value = value
        self._hidden = region

    def rounded(self, digits):
        return self.value, self.value, self.rounded

def _inner(a):
    return a
"""
)
IMPORTS = (ImportedName("Rate", "tax.py", "Rate"), ImportedName("tax", "tax.py", ""))


def test_parameters_of_what_is_imported() -> None:
    found = with_project(Ingredients(), IMPORTS, {"tax.py": TAX})
    known = {c.name: c.parameters for c in found.callees}
    assert known["Rate"] == ("value", "region")
    assert known["tax.rate_of"] == ("country", "strict")
    assert known[".rounded"] == ("digits",)
    assert "tax._inner" not in known
    assert {c.distance for c in found.callees} == {DISTANCE}


def test_members_of_imported_classes_are_ranked_behind_by_use() -> None:
    own = Ingredient("total", 1.0, 0)
    found = with_project(Ingredients(attribute_names=(own,)), IMPORTS, {"tax.py": TAX})
    assert [i.text for i in found.attribute_names] == ["total", "value", "rounded"]
    assert [i.text for i in found.methods] == ["rounded"]
    assert all(i.weight < own.weight and i.distance == DISTANCE for i in found.attribute_names[1:])


def test_what_is_known_already_is_not_added() -> None:
    own = Ingredient("value", 0.1, 2)
    found = with_project(Ingredients(attribute_names=(own,)), IMPORTS[:1], {"tax.py": TAX})
    assert [i for i in found.attribute_names if i.text == "value"] == [own]


def test_files_that_nobody_reads_add_nothing_and_large_ones_not_too_much() -> None:
    assert with_project(Ingredients(), IMPORTS, {}) == Ingredients()
    large = ast.parse("".join(f"def f{i}(a): pass\n" for i in range(3 * MOST_CALLEES)))
    assert len(with_project(Ingredients(), IMPORTS, {"tax.py": large}).callees) == MOST_CALLEES
