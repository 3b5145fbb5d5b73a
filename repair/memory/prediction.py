"""What the counts of earlier failures say of one: which families of edits mend it, and how likely any fix is.

Counts are kept under keys from all failures down to the ones most alike. Each key's posterior mean is the prior of the
next finer one, and counts as ``STRENGTH`` observations. A key with fewer than ``LEAST`` observations says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STRENGTH = 20.0
"""How many observations the next coarser key is worth."""

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
    shares, told = dict(base), False
    for tally in tallies:
        seen = tally.families or {}
        total = sum(seen.get(family, 0.0) for family in base)
        if total < LEAST:
            break
        told = True
        shares = {each: (seen.get(each, 0.0) + STRENGTH * shares[each]) / (total + STRENGTH) for each in shares}
    if not told:
        return {}
    return {each: min(MOST_FACTOR, max(1 / MOST_FACTOR, shares[each] / base[each])) for each in base if base[each] > 0}


def chance_of(tallies: Sequence[Tally]) -> Chance | None:
    """How likely a fix is; ``None`` where there are too few observations."""
    mean, last = 0.5, None
    for tally in tallies:
        if tally.tried < LEAST:
            break
        mean, last = (tally.mended + STRENGTH * mean) / (tally.tried + STRENGTH), tally
    return Chance(mean, round(last.mended), round(last.tried)) if last is not None else None
