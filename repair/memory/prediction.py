"""What the counts of earlier failures say of one: which families of edits mend it, and how likely any fix is.

Counts are kept under keys from all failures down to the ones most alike. Each key's posterior mean is the prior of the
next finer one, and weighs as much as a fixed number of observations. What a finer key counts is left out of the coarser
one, since it would count again at each step. A key with fewer than ``LEAST`` observations says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

STRENGTH = 100.0
"""How many mended failures the next coarser key is worth where families are weighed.

With so many the order is hardly moved by families that are drawn by itself (``make bench-memory``).
"""

CHANCE_STRENGTH = 10.0
"""How many failures it is worth where the chance of any fix is told."""

LEAST = 10.0
"""Observations below which a key says nothing."""

MOST_FACTOR = 4.0
"""How many times more, or less, a family weighs by what is remembered, at most."""

UNLIKELY = 0.2
"""A chance below it is said before a run: likely to fail."""

Shares = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Tally:
    """What was seen under one key: how often a fix was ``tried`` and ``mended``, and what mended by ``families``."""

    tried: float = 0.0
    mended: float = 0.0
    families: Shares | None = None


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely a fix is, by so many failures alike: ``mended`` of ``tried`` were certified."""

    chance: float
    mended: int
    tried: int

    @property
    def is_unlikely(self) -> bool:
        """Whether it is worth a word before the run."""
        return self.chance < UNLIKELY

    @property
    def claim(self) -> str:
        """As a sentence for a reader: ``likely to fail: 2 of 31 like it were mended``."""
        said = "likely to fail" if self.is_unlikely else "likely to be mended" if self.chance > 0.5 else "uncertain"
        return f"{said}: {self.mended} of {self.tried} like it were mended"


def factors_of(base: Shares, tallies: Sequence[Tally]) -> dict[str, float]:
    """What each family's weight is multiplied by. ``base`` are the shares of the order that knows no earlier run.

    ``tallies`` go from the coarsest key to the finest. Empty where there are too few observations.
    """
    told = list(_telling(tallies, lambda tally: sum((tally.families or {}).get(family, 0.0) for family in base)))
    if not told:
        return {}
    shares = dict(base)
    for tally in _each_counted_once(told):
        seen = tally.families or {}
        total = sum(seen.get(family, 0.0) for family in base)
        shares = {each: (seen.get(each, 0.0) + STRENGTH * shares[each]) / (total + STRENGTH) for each in shares}
    return {each: min(MOST_FACTOR, max(1 / MOST_FACTOR, shares[each] / base[each])) for each in base if base[each] > 0}


def rates_of(ways: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """How much more often than all of them together each way has mended what it was tried on, as a bounded factor.

    ``ways`` are how often each was tried, and how often it mended. Empty where there are too few observations, or one
    way alone: there is nothing to choose.
    """
    tried, mended = (sum(max(0.0, each[place]) for each in ways.values()) for place in (0, 1))
    if tried < LEAST or len(ways) < 2:
        return {}
    mean = (mended + 1) / (tried + 2)
    rates = {way: (fixes + CHANCE_STRENGTH * mean) / (times + CHANCE_STRENGTH) for way, (times, fixes) in ways.items()}
    return {way: min(MOST_FACTOR, max(1 / MOST_FACTOR, rate / mean)) for way, rate in rates.items()}


def chance_of(tallies: Sequence[Tally]) -> Chance | None:
    """How likely a fix is; ``None`` where there are too few observations."""
    told = list(_telling(tallies, lambda tally: tally.tried))
    mean = 0.5
    for tally in _each_counted_once(told):
        mean = (tally.mended + CHANCE_STRENGTH * mean) / (tally.tried + CHANCE_STRENGTH)
    return Chance(mean, round(told[-1].mended), round(told[-1].tried)) if told else None


def _telling(tallies: Sequence[Tally], count: Callable[[Tally], float]) -> Iterator[Tally]:
    """The tallies down to the last one with enough observations."""
    return takewhile(lambda tally: count(tally) >= LEAST, tallies)


def _each_counted_once(tallies: Sequence[Tally]) -> Iterator[Tally]:
    """The same tallies, each without what the next finer one counts."""
    for tally, finer in pairwise((*tallies, Tally())):
        inner = finer.families or {}
        families = {each: max(0.0, n - inner.get(each, 0.0)) for each, n in (tally.families or {}).items()}
        yield Tally(max(0.0, tally.tried - finer.tried), max(0.0, tally.mended - finer.mended), families)
