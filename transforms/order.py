"""The order of the search as a probability model, learned from counts or set by hand.

    P(operator | failure) x P(place | operator, suspiciousness, context) x the ingredient's own weight

The first factor is a posterior mean: what real fixes were made by (``Counts``), with the table set by hand
(``transforms.operators.priors``) as ``STRENGTH`` fixes that were seen before. Counts know no class of failure unless
a commit's message names one; so the hand-set factors of classes and subclasses stand, and counts move a family's
factor for a subclass as far as they are many. The second factor compares how often an operator's fix stood in a
context with how often it would have, had all its places been alike; few fixes leave it near one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from analysis.facts import FailureClass
from transforms.operators.catalog import MENDING
from transforms.operators.operator import Operator
from transforms.operators.priors import BASE, UNLISTED, class_factor, subclass_factor

Table = Mapping[str, float]
Tables = Mapping[str, Table]

STRENGTH = 150.0
"""How many fixes the table set by hand is worth."""

CONTEXT_STRENGTH = 10.0
"""How many fixes of an operator say that its contexts are alike."""

SUBCLASS_STRENGTH = 20.0
"""How many fixes of a subclass the hand-set factor of a family is worth."""


@dataclass(frozen=True, slots=True)
class Source:
    """One history that was counted: from which commit to which, and what it gave.

    ``small`` changes touch one function and few lines; of them ``fixes`` say in their message that they mend
    something, and ``produced`` fixes are one edit of our operators.
    """

    name: str
    first: str
    last: str
    commits: int
    small: int
    fixes: int
    produced: int


@dataclass(frozen=True, slots=True)
class Counts:
    """What real fixes were made of. A fix that several operators give is shared among them.

    ``operators`` counts fixes by operator, ``places`` by operator and context, and ``expected`` what ``places`` would
    be if all places of an operator were alike. ``ranks`` tells how far back among the operator's edits of its place
    the fix stood; ``ingredients`` where words came from that a fix brought, and how far back they stood there;
    ``others`` counts, by operator, changes whose message speaks of no fix. They weigh nothing.
    """

    sources: tuple[Source, ...] = ()
    operators: Table = field(default_factory=dict)
    families: Table = field(default_factory=dict)
    places: Tables = field(default_factory=dict)
    expected: Tables = field(default_factory=dict)
    subclasses: Tables = field(default_factory=dict)
    ranks: Tables = field(default_factory=dict)
    ingredients: Table = field(default_factory=dict)
    others: Table = field(default_factory=dict)

    def plus(self, more: Counts) -> Counts:
        """Both counts as one."""
        return Counts(
            (*self.sources, *more.sources),
            _sum(self.operators, more.operators),
            _sum(self.families, more.families),
            _sums(self.places, more.places),
            _sums(self.expected, more.expected),
            _sums(self.subclasses, more.subclasses),
            _sums(self.ranks, more.ranks),
            _sum(self.ingredients, more.ingredients),
            _sum(self.others, more.others),
        )


@dataclass(frozen=True, slots=True)
class Order:
    """Weights of operators and of their places: ``hand`` and ``uniform`` have seen no fix."""

    name: str
    counts: Counts = Counts()
    strength: float = STRENGTH
    context_strength: float = CONTEXT_STRENGTH

    def weight(self, operator: Operator, failure_class: FailureClass, subclass: str) -> float:
        """What the operator weighs for such a failure; all of them weigh as much together as in the hand-set table."""
        if self.name == UNIFORM:
            return _BY_HAND / len(BASE)
        counted, every = self.counts.operators.get(operator.name, 0.0), sum(self.counts.operators.values())
        base = (counted * _BY_HAND + self.strength * hand_weight(operator)) / (every + self.strength)
        return base * class_factor(operator, failure_class) * self._subclass_factor(operator.family, subclass)

    def place(self, operator: Operator, context: str) -> float:
        """How much more often than elsewhere the operator's fixes stand in such a context."""
        counted = self.counts.places.get(operator.name, _NOTHING).get(context, 0.0)
        expected = self.counts.expected.get(operator.name, _NOTHING).get(context, 0.0)
        return (counted + self.context_strength) / (expected + self.context_strength)

    def _subclass_factor(self, family: str, subclass: str) -> float:
        hand = subclass_factor(family, subclass)
        seen = self.counts.subclasses.get(subclass, _NOTHING)
        every = sum(self.counts.families.values())
        if not seen or not every:
            return hand
        expected = sum(seen.values()) * self.counts.families.get(family, 0.0) / every
        return (seen.get(family, 0.0) + SUBCLASS_STRENGTH * hand) / (expected + SUBCLASS_STRENGTH)


UNIFORM = "uniform"
HAND_SET = Order("hand")
UNIFORM_ORDER = Order(UNIFORM)

_NOTHING: Table = MappingProxyType({})
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


def learned(counts: Counts) -> Order:
    """The order that the counts make of the one set by hand."""
    return Order("learned", counts)


def _sum(one: Table, other: Table) -> Table:
    return {key: one.get(key, 0.0) + other.get(key, 0.0) for key in sorted({*one, *other})}


def _sums(one: Tables, other: Tables) -> Tables:
    return {key: _sum(one.get(key, _NOTHING), other.get(key, _NOTHING)) for key in sorted({*one, *other})}
