"""The order of the search as a probability model, learned from counts or set by hand.

    P(operator | failure) x P(place | operator, suspiciousness, context) x the ingredient's own weight

The first factor is a posterior mean: what real fixes were made by (``FixCounts``). Its prior is the table set by hand
(``transforms.operators.priors``), which counts as some fixes that were seen before (``Strength``). Of most fixes
nothing tells the class of the failure, so the hand-set factors of classes and subclasses stand. Those fixes whose
message or tests name a class move its factors as far as they are many. The second factor compares how often an
operator's fix stood in a context with how often it would have, had all its places been alike. Few fixes leave it near
one. The third compares in the same way how often an ingredient came from so far away with what the weights set by hand
expect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from analysis.facts import FailureClass
from transforms.ingredients.word_counts import weight_of
from transforms.operators.catalog import MENDING
from transforms.operators.operator import Operator
from transforms.operators.priors import BASE, UNLISTED, class_factor, subclass_factor

Table = Mapping[str, float]
Tables = Mapping[str, Table]

NEW = "new"
"""The place of a word that stood nowhere near."""

NEAR = ("function", "class", "module", "import")
"""Places of ingredients by their distance."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How many fixes each part of what is set by hand is worth.

    ``operators`` is the worth of the table of operators; ``context`` that of taking the contexts of an operator to be
    alike. ``failure`` is that of a family's factor for a class or subclass. ``ingredient`` is that of the weight of an
    ingredient of one kind at one distance.
    """

    operators: float = 150.0
    context: float = 10.0
    failure: float = 20.0
    ingredient: float = 20.0


@dataclass(frozen=True, slots=True)
class CountedHistory:
    """One history that was counted: from which commit to which, and what it gave.

    ``small`` changes touch one function and few lines. Of them, ``fixes`` say in their message that they mend
    something; ``produced`` fixes are one edit of our operators.
    """

    name: str
    first: str
    last: str
    commits: int
    small: int
    fixes: int
    produced: int


@dataclass(frozen=True, slots=True)
class FixCounts:
    """What real fixes were made of. A fix that several operators give is shared among them.

    ``operators`` counts fixes by operator, ``places`` by operator and context, and ``expected`` what ``places`` would
    be if all places of an operator were alike. ``ranks`` tells how far back among the operator's edits of its place
    the fix stood. ``classes`` and ``subclasses`` count families by what the message or the tests say of the failure.
    ``ingredients`` counts by kind from which place words came, and ``likely`` what that would be by the weights set by
    hand. ``others`` counts, by operator, changes whose message speaks of no fix. These and ``ranks`` weigh nothing.
    """

    sources: tuple[CountedHistory, ...] = ()
    operators: Table = field(default_factory=dict)
    families: Table = field(default_factory=dict)
    places: Tables = field(default_factory=dict)
    expected: Tables = field(default_factory=dict)
    classes: Tables = field(default_factory=dict)
    subclasses: Tables = field(default_factory=dict)
    ranks: Tables = field(default_factory=dict)
    ingredients: Tables = field(default_factory=dict)
    likely: Tables = field(default_factory=dict)
    others: Table = field(default_factory=dict)

    def add(self, more: FixCounts) -> FixCounts:
        """Both counts as one."""
        return FixCounts(
            **{each.name: _sum(getattr(self, each.name), getattr(more, each.name)) for each in fields(self)}
        )


def _sum(one: Any, other: Any) -> Any:
    """Numbers are added, sources put in a row, tables summed up key by key; what one lacks counts as 0."""
    if isinstance(one, Mapping) or isinstance(other, Mapping):
        mine, theirs = one or {}, other or {}
        return {key: _sum(mine.get(key, 0.0), theirs.get(key, 0.0)) for key in sorted({*mine, *theirs})}
    return one + other


@dataclass(frozen=True, slots=True)
class Order:
    """Weights of operators and of their places: ``hand`` and ``uniform`` have seen no fix."""

    name: str
    counts: FixCounts = FixCounts()
    strength: Strength = Strength()
    remembered: Table = field(default_factory=dict)
    """What earlier runs multiply the weights of families by; families that they say nothing of have none."""

    def weight(self, operator: Operator, failure_class: FailureClass, subclass: str) -> float:
        """What the operator weighs for such a failure; all of them weigh as much together as in the hand-set table."""
        remembered = self.remembered.get(operator.family, 1.0)
        if self.name == UNIFORM:
            return remembered * _BY_HAND / len(BASE)
        counted, every = self.counts.operators.get(operator.name, 0.0), sum(self.counts.operators.values())
        strength = self.strength.operators
        base = (counted * _BY_HAND + strength * hand_weight(operator)) / (every + strength)
        family, counts = operator.family, self.counts
        of_class, of_subclass = counts.classes.get(failure_class.value, {}), counts.subclasses.get(subclass, {})
        by_class = self._moved(class_factor(family, failure_class), family, of_class, counts.families)
        by_subclass = self._moved(subclass_factor(family, subclass), family, of_subclass, of_class or counts.families)
        return base * by_class * by_subclass * remembered

    def family_shares(self, failure_class: FailureClass, subclass: str) -> dict[str, float]:
        """Which share of the weights each family of mending operators has for such a failure; they sum up to one."""
        found: dict[str, float] = {}
        for operator in MENDING:
            weight = self.weight(operator, failure_class, subclass)
            found[operator.family] = found.get(operator.family, 0.0) + weight
        every = sum(found.values())
        return {family: weight / every for family, weight in found.items()}

    def place(self, operator: Operator, context: str) -> float:
        """How much more often than elsewhere the operator's fixes stand in such a context."""
        return _ratio(self.counts.places, self.counts.expected, operator.name, context, self.strength.context)

    def ingredient(self, kind: str, distance: int, times: int) -> float:
        """What an ingredient of the kind weighs that stands so far away and occurs so often in the module."""
        return weight_of(distance, times) * self.place_factor(kind, place_of_ingredient(distance, times))

    def place_factor(self, kind: str, place: str) -> float:
        """How much more often words of the kind came from there than their weights set by hand expect."""
        return _ratio(self.counts.ingredients, self.counts.likely, kind, place, self.strength.ingredient)

    def _moved(self, hand: float, family: str, seen: Table, usual: Table) -> float:
        """A factor of a family moved from the hand-set one to how much more often it was seen than usually."""
        every = sum(usual.values())
        if not seen or not every:
            return hand
        expected = sum(seen.values()) * usual.get(family, 0.0) / every
        return (seen.get(family, 0.0) + self.strength.failure * hand) / (expected + self.strength.failure)


def _ratio(counted: Tables, expected: Tables, row: str, column: str, strength: float) -> float:
    """What was counted there by what was expected, as though ``strength`` fixes more had been as expected."""
    return (counted.get(row, {}).get(column, 0.0) + strength) / (expected.get(row, {}).get(column, 0.0) + strength)


UNIFORM = "uniform"
HAND_SET = Order("hand")
UNIFORM_ORDER = Order(UNIFORM)

_BY_HAND = sum(BASE.values())


def hand_weight(operator: Operator) -> float:
    """What the table set by hand says of the operator; one that it does not list weighs what its family does."""
    return BASE.get(operator.name) or _BY_FAMILY.get(operator.family, UNLISTED)


def _by_family() -> Table:
    listed: dict[str, list[float]] = {}
    for operator in MENDING:
        if operator.name in BASE:
            listed.setdefault(operator.family, []).append(BASE[operator.name])
    return MappingProxyType({family: sum(weights) / len(weights) for family, weights in listed.items()})


_BY_FAMILY = _by_family()


def learn_order(counts: FixCounts, strength: Strength = Strength()) -> Order:  # it is frozen
    """The order that the counts make of the one set by hand."""
    return Order("learned", counts, strength)


def place_of_ingredient(distance: int, times: int) -> str:
    """One word for how far away an ingredient stands and about how often it occurs."""
    often = next((word for most, word in ((1, "once"), (2, "twice"), (5, "some")) if times <= most), "often")
    return f"{NEAR[distance]} {often}"
