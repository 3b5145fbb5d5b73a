"""How likely real fixes are under an order that has learned from other histories, without enumerating any edit.

Of a fix is asked how likely the order holds its operators and the contexts that they stand in. The same is asked of the
places that its words came from. Orders are compared by the mean of the logarithm over the same fixes: 0.69 more is
twice as likely.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from corpora.lab.learning.learn import Learned
from corpora.lab.learning.producing import COUNTED
from corpora.lab.learning.seen import Origin, Produced, Seen
from transforms.enumerate.order import HAND_SET, NEW, UNIFORM_ORDER, FixCounts, Order, Strength, learn_order

TRIED = {
    "operators": (20.0, 50.0, 150.0, 400.0, 1_000.0, 3_000.0),
    "context": (2.0, 5.0, 10.0, 30.0, 100.0),
    "failure": (5.0, 20.0, 60.0, 200.0, 1_000.0),
    "ingredient": (5.0, 20.0, 60.0, 200.0, 1_000.0),
}
"""Strengths that are tried, one after the other, the others as they are."""

_BY_NAME = {operator.name: operator for operator in COUNTED}


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The mean logarithm of the likelihood of the same fixes under one order, history by history.

    ``fixes`` are of operators and contexts, ``words`` of where words came from.
    """

    order: str
    fixes: tuple[tuple[float, ...], ...]
    words: tuple[tuple[float, ...], ...]

    @property
    def of_fixes(self) -> float:
        """The mean over all fixes."""
        return _mean(self.fixes)

    @property
    def of_words(self) -> float:
        """The mean over all words."""
        return _mean(self.words)

    def better_than(self, other: Likelihood) -> tuple[int, int]:
        """In how many histories the fixes are likelier than under the other order, and of how many."""
        pairs = [(a, b) for a, b in zip(self.fixes, other.fixes, strict=True) if a]
        return sum(statistics.fmean(a) > statistics.fmean(b) for a, b in pairs), len(pairs)

    def __str__(self) -> str:
        fixes, words = sum(map(len, self.fixes)), sum(map(len, self.words))
        return f"{self.order}: {self.of_fixes:.3f} over {fixes} fixes, {self.of_words:.3f} over {words} words"


def held_out_likelihoods(each: Mapping[str, Learned], rest: Mapping[str, FixCounts]) -> tuple[Likelihood, ...]:
    """Each history's fixes under what the rest teaches, by hand and uniformly."""
    return (
        _likelihood("learned", each, {name: learn_order(rest[name]) for name in each}),
        _likelihood("hand", each, dict.fromkeys(each, HAND_SET)),
        _likelihood("uniform", each, dict.fromkeys(each, UNIFORM_ORDER)),
    )


def tried_strengths(
    each: Mapping[str, Learned], rest: Mapping[str, FixCounts]
) -> Iterator[tuple[str, float, Likelihood]]:
    """Each part's strengths with the likelihood of fixes that were held out."""
    for part, values in TRIED.items():
        for value in values:
            orders = {name: learn_order(rest[name], replace(Strength(), **{part: value})) for name in each}
            yield part, value, _likelihood("learned", each, orders)


def _likelihood(name: str, each: Mapping[str, Learned], orders: Mapping[str, Order]) -> Likelihood:
    fixes = tuple(tuple(_likelihoods_of_fixes(one.made, orders[key])) for key, one in each.items())
    words = tuple(tuple(_likelihoods_of_words(one.seen, orders[key])) for key, one in each.items())
    return Likelihood(name, fixes, words)


def _likelihoods_of_fixes(made: Sequence[Seen], order: Order) -> Iterator[float]:
    totals: dict[tuple[str, str], float] = {}
    for fix in made:
        kind = (fix.failure, fix.subclass)
        if kind not in totals:
            totals[kind] = sum(order.weight(o, fix.failure_class, fix.subclass) for o in COUNTED)
        weights = (order.weight(_BY_NAME[way.operator], fix.failure_class, fix.subclass) for way in fix.ways)
        yield math.log(sum(w * _context(way, order) for way, w in zip(fix.ways, weights, strict=True)) / totals[kind])


def _context(way: Produced, order: Order) -> float:
    """The share of the operator's hopes that its contexts give to the one where the fix stood."""
    operator = _BY_NAME[way.operator]
    shares = {context: part * order.place(operator, context) for context, part in way.expected.items()}
    return shares[way.context] / sum(shares.values()) if way.context in shares else 1.0


def _likelihoods_of_words(seen: Sequence[Seen], order: Order) -> Iterator[float]:
    for each in seen:
        for origin in each.origins if each.fix else ():
            if origin.place != NEW:
                yield math.log(_place(origin, order))


def _place(origin: Origin, order: Order) -> float:
    shares = {place: part * order.place_factor(origin.kind, place) for place, part in origin.expected.items()}
    return shares[origin.place] / sum(shares.values())


def _mean(each: Sequence[Sequence[float]]) -> float:
    return statistics.fmean([value for values in each for value in values] or [0.0])
