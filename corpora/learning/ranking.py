"""Where real fixes stand in the stream of edits: by counts of other histories, by hand, and with no order at all."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from corpora.learning.changes import SmallChange
from corpora.learning.counting import goal_of
from corpora.learning.producing import Finder, Wanted
from transforms.operators.catalog import MENDING
from transforms.order import HAND_SET, UNIFORM_ORDER, Counts, Order, learned
from transforms.streams import offers

MOST_OFFERS = 20_000
"""An edit further back than this is taken for not found."""

EARLY = (100, 1_000, 5_000)


@dataclass(frozen=True, slots=True)
class Ranks:
    """The places of the same fixes in the streams of one order, from 1; 0 for one that is too far back."""

    order: str
    places: tuple[int, ...]

    def within(self, most: int) -> float:
        """The share of the fixes that are among the first so many edits."""
        return sum(0 < place <= most for place in self.places) / len(self.places)

    @property
    def median(self) -> float:
        """The median place; what is too far back counts as the furthest."""
        return statistics.median(place or MOST_OFFERS for place in self.places)

    def __str__(self) -> str:
        shares = ", ".join(f"{self.within(most):.0%} in the first {most}" for most in EARLY)
        return f"{self.order}: {len(self.places)} fixes, median place {self.median:.0f}, {shares}"


def held_out_ranks(fixes: Mapping[str, Sequence[SmallChange]], counts: Mapping[str, Counts]) -> tuple[Ranks, ...]:
    """The fixes of each history ranked by the counts of the others, and by the orders that have learned nothing.

    All lines are equally suspicious here, and nothing is known of the failure but what the new text answers.
    """
    found: dict[str, list[int]] = {}
    for name, changes in fixes.items():
        rest = Counts()
        for other, more in counts.items():
            rest = rest.plus(more) if other != name else rest
        for change in changes:
            goal = goal_of(change)
            assert goal is not None, "it was counted"
            for order in (learned(rest), HAND_SET, UNIFORM_ORDER):
                found.setdefault(order.name, []).append(place_of(goal, order))
    return tuple(Ranks(order, tuple(places)) for order, places in found.items())


def place_of(goal: Wanted, order: Order) -> int:
    """How many edits the stream gives before it has given the wanted text; 0 where it is too far back."""
    finder = Finder(goal)
    stream = offers(MENDING, goal.land.sites, goal.near, {}, 0, order)
    return next((n for n, offer in enumerate(islice(stream, MOST_OFFERS), 1) if finder.gives(offer.edit)), 0)
