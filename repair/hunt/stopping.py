"""When a search stops: its budget is spent, or what more searching may find is not worth its price.

What a further edit could change is known before it is made. Candidates are ranked by their odds of being wrong. Without
evidence these double with each changed node, and with each doubling of the place in the search. That is a prior of
1/place, as the order of edits was learned, with half of the weight for each node (decision 13). Whatever comes late has
to be small, and beyond some place nothing can be likelier than what is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from repair.hunt.search_state import MOST_SURVIVORS, SearchState
from repair.hunt.tried_edit import TriedEdit, prior_cost
from repair.records.task import Budget
from transforms.synthesis.candidates import FITTED

OVERTIME_SECONDS = 2.0
"""How long after the end of the search outcomes are waited for."""

EXTRA_SECONDS = 5.0
EXTRA_SHARE = 1.0
"""A search goes on for as long again as its first survivor took, at most: each find costs more than the one before."""

EVIDENCE_BITS = 3.5
"""By so much a piece of evidence moves the odds of a candidate at most, as a logarithm to the base of two.

It is the largest of those shipped weights that 20 wrong and 20 right patches had at least. So what is less likely
than the best find by a factor of eleven might still come first, or be asked about.
"""

LEAST_SIZE = 1
"""No edit changes fewer nodes."""

EDITS_WORTH = 2500
"""A search goes on while an edit that matters is expected among so many: some 8 s of warm trials on two cores."""

LEAST_BESIDE_FITTED, FITTED_PATIENCE = 1000, 4.0
"""Conditions that are made to pass the failing tests end no search before so many edits were tried, or so much longer
was waited. Of ten that came first in small projects, eight were wrong: they tell the tests' calls from others.
"""

MOST_FORGOTTEN = 5
"""So often time is kept for parts that turn out to be none; from then on all of it is for the whole."""

LEAST_TRIED = 80
"""Edits that are tried before anything is concluded from how many were: until then servers started and tests were slow.
"""

UNTRIED_SHARE = 0.75
"""What the search for all has of the time, however slow it is, before so many edits were tried.

Up to twice as many it falls to nothing.
"""

ONE_CAUSE = 0.5
"""How likely one edit mends all tests of a group, where an edit mends a part of them: nothing is known for or against.
"""


@dataclass(frozen=True, slots=True)
class Stopping:
    """The end of one search, which began at ``started``, by what its ``state`` counts.

    It goes on for ``more`` seconds than its budget says while it has found nothing sound.
    """

    budget: Budget
    clock: Callable[[], float]
    started: float
    state: SearchState
    pointless: Callable[[], bool] = lambda: False
    """Whether what the search began with has turned out otherwise."""
    more: float = 0.0
    asking: Callable[[], bool] = lambda: False
    """Whether somebody who waits for outcomes is being asked: then nothing is kept for parts."""
    wants_rivals: bool = False
    """Whether each find counts, not only one that may be likelier than the best."""

    @property
    def seconds_left(self) -> float:
        """What is left of the time; negative when it is over."""
        return self.seconds_in_all - self._elapsed

    @property
    def seconds_in_all(self) -> float:
        """What the search may take, as far as is known by now.

        Where nothing mends all of the failing tests, and an edit mends a part of them, there may be several causes.
        Then the search for all has the share of the time that it is likely to need, and the parts have the rest.
        """
        most, tried = self._most_seconds, len(self.state.seen)
        if not self._shares:
            return most
        share = share_of_one_cause(tried, self._elapsed / most if most > 0 else 1.0)
        return most * max(share, UNTRIED_SHARE * min(1.0, max(0.0, 2.0 - tried / LEAST_TRIED)))

    @property
    def _most_seconds(self) -> float:
        found = self.state.finds.first(sound=True) is not None
        return self.budget.max_seconds + (0.0 if found else self.more)

    @property
    def _shares(self) -> bool:
        """Whether a part of the time is kept for parts of the tests."""
        found = self.state.finds.first(sound=True) is not None
        known = bool(self.state.partial) and self.state.partial.forgotten < MOST_FORGOTTEN
        return known and not (found or self.asking())

    @property
    def keeps_time_for_parts(self) -> bool:
        """Whether the search is over for that alone."""
        return self._shares and self.seconds_left <= 0 and not (self.is_late() or self.pointless())

    def is_late(self) -> bool:
        """Whether all of the time is over, what is kept for parts included."""
        return self.seconds_until_late <= 0

    @property
    def seconds_until_late(self) -> float:
        """What is left of all of the time; negative when it is over."""
        return self._most_seconds - self._elapsed

    @property
    def enough(self) -> bool:
        """Whether to stop: budget, count, or a further find is not to be expected, or would not change the answer.

        Those that carry an anti-pattern do not end a search: it goes on for one that does not.
        """
        finds = self.state.finds
        return (
            self.spent
            or self.pointless()
            or finds.sound.total() >= MOST_SURVIVORS
            or self._waited(finds.first(sound=True))
            or self._is_settled
        )

    @property
    def spent(self) -> bool:
        """Whether nothing may be drawn any more."""
        most = self.budget.max_candidates
        return self.seconds_left <= 0 or (most is not None and self.state.drawn >= most)

    @property
    def overdue(self) -> bool:
        """Whether trials that were begun in time have taken more than a little beyond it."""
        return self.seconds_left < -OVERTIME_SECONDS

    def hurried(self, eager: frozenset[str]) -> bool:
        """Whether survivors of the search, not of who waits for outcomes, were left without their share of time.

        ``eager`` are the names of the proposers that do not wait.
        """
        finds = self.state.finds
        searched = any(s.candidate.origin.proposer in eager for s in finds.survivors)
        waited = self._waited(finds.first()) or self._is_settled
        return searched and finds.sound.total() < MOST_SURVIVORS and self.spent and not waited

    @property
    def _elapsed(self) -> float:
        return self.clock() - self.started

    @property
    def _is_settled(self) -> bool:
        """Whether there are sound finds, and another one that matters is not worth the edits that it would take."""
        sound = [find for find in self.state.finds.edits if find.sound]
        tried = len(self.state.seen)
        if not sound or not tried or self._only_fitted:
            return False
        last = math.inf if self.wants_rivals else last_place_that_matters(sound)
        return expect_find([find.position for find in sound], tried, last) * EDITS_WORTH <= tried

    def _waited(self, first: float | None) -> bool:
        """Whether the search went on for as long again after that find; longer where all are fitted to the tests."""
        if first is None:
            return False
        patience = max(EXTRA_SECONDS, EXTRA_SHARE * (first - self.started))
        return self.clock() - first > patience * (FITTED_PATIENCE if self._only_fitted else 1.0)

    @property
    def _only_fitted(self) -> bool:
        """Whether all sound finds are conditions fitted to the failing tests, and few other edits were tried yet."""
        sound = [find for find in self.state.finds.edits if find.sound]
        few = len(self.state.seen) < LEAST_BESIDE_FITTED and not self.wants_rivals
        return few and bool(sound) and all(find.proposal.origin.operator in FITTED for find in sound)


def last_place_that_matters(finds: Sequence[TriedEdit]) -> float:
    """The last place at which an edit could be as likely as the best find, whatever the evidence says of both.

    An edit of ``s`` nodes at place ``p`` has the prior cost ``s + log2(p)``; a reply counts as one node. Evidence moves
    it by ``EVIDENCE_BITS``.
    """
    best = min(prior_cost(find.pieces, find.place) for find in finds)
    return math.exp2(min(best + EVIDENCE_BITS - LEAST_SIZE, 1000.0))


def expect_find(places: Sequence[int], tried: int, last: float) -> float:
    """How likely a find that matters is among as many edits again, after so many with finds at these ``places``.

    Finds are taken to come as often in each doubling of the places (a log-uniform prior: Jeffreys, 1946). The order
    puts the likeliest first, and no scale is known. So ``f/d`` of the next doublings hold one, where ``f`` of ``d`` did
    until now. Variants of one edit follow each other, so a doubling counts once however many it held. Behind the
    ``last`` place nothing matters. From ``n`` edits to ``2n`` the chance is ``f/d`` times the share of this doubling
    before the last place, ``log2(min(2n, last)/n)``.

    To go on costs ``n`` edits. It is worth that while the chance is larger than ``n/EDITS_WORTH``: the expected gain is
    above the price (Weitzman, 1979).
    """
    share = len({place.bit_length() for place in places}) / tried.bit_length()
    return share * math.log2(min(2.0 * tried, last) / tried) if last > tried else 0.0


def share_of_one_cause(tried: int, passed: float) -> float:
    """How likely one edit mends all tests, after so many edits in the share of the time that has ``passed``.

    The place of that edit is taken to be log-uniform up to the last one that the time allows for, as above. So it has
    not been met by now with the probability ``g = 1 - ln(tried)/ln(last)``. By Bayes' rule ``a g/(a g + 1 - a)`` is
    left of the prior ``a``.
    """
    if not 0.0 < passed < 1.0:
        return 1.0 if passed <= 0.0 else 0.0
    places = max(tried, 2)
    unmet = -math.log(passed) / math.log(places / passed)
    return ONE_CAUSE * unmet / (ONE_CAUSE * unmet + 1.0 - ONE_CAUSE)
