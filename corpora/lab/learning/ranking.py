"""Where real fixes stand in the stream of edits: by counts of other histories, by hand, and with no order at all."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from corpora.lab.learning.changes import SmallChange, small_change
from corpora.lab.learning.counting import goal_of
from corpora.lab.learning.learn import Learned
from corpora.lab.learning.producing import Finder
from corpora.lab.learning.seen import Seen
from corpora.mining.repository import Repository
from transforms.enumerate.order import HAND_SET, UNIFORM_ORDER, FixCounts, Order, learn_order
from transforms.enumerate.streams import offers
from transforms.operators.catalog import MENDING

MOST_OFFERS = 5_000
"""An edit further back than this is taken for not found."""

EARLY = (10, 100, 1_000, 5_000)


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

    def ahead_of(self, other: Ranks) -> tuple[int, int]:
        """How many fixes stand further to the front than in the other order, and how many further back."""
        pairs = [(a or MOST_OFFERS + 1, b or MOST_OFFERS + 1) for a, b in zip(self.places, other.places, strict=True)]
        return sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)

    def __str__(self) -> str:
        shares = ", ".join(f"{self.within(most):.0%} in the first {most}" for most in EARLY)
        return f"{self.order}: {len(self.places)} fixes, median place {self.median:.0f}, {shares}"


def held_out_ranks(each: Mapping[str, Learned], rest: Mapping[str, FixCounts], most: int) -> tuple[Ranks, ...]:
    """So many fixes of each history ranked by the counts of the rest, and by the orders that have learned nothing.

    All lines are equally suspicious here; of the failure is known what the message and the tests said, and what the new
    text answers.
    """
    found: dict[str, list[int]] = {}
    for name, one in each.items():
        for fix, change in _changes(one, most):
            for order in (learn_order(rest[name]), HAND_SET, UNIFORM_ORDER):
                found.setdefault(order.name, []).append(place_of(change, fix, order))
    return tuple(Ranks(order, tuple(places)) for order, places in found.items())


def _changes(history: Learned, most: int) -> Iterator[tuple[Seen, SmallChange]]:
    """The newest fixes of ours, read again."""
    by_commit = {fix.commit: fix for fix in history.made[:most]}
    with Repository(history.path) as repository:
        for commit in repository.commits_named(tuple(by_commit)):
            change = small_change(repository, commit)
            assert change is not None, "it was one when it was counted"
            yield by_commit[commit.id], change


def place_of(change: SmallChange, fix: Seen, order: Order) -> int:
    """How many edits the stream gives before it has given the wanted text; 0 where it is too far back."""
    goal = goal_of(change, order.ingredient)
    assert goal is not None, "it was counted"
    finder = Finder(goal)
    near = replace(goal.near, failure_class=fix.failure_class, subclass=fix.subclass)
    stream = filter(None, offers(MENDING, goal.land.sites, near, {}, 0, order))
    return next((n for n, offer in enumerate(islice(stream, MOST_OFFERS), 1) if finder.gives(offer.edit)), 0)
