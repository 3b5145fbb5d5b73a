"""How familiar an edit makes a text: whether its runs of three words stand elsewhere in the module.

Code repeats itself (Hindle et al., 2012), and a faulty line does so less than its fix (Ray et al., 2016). Most fixes
are built from what the file holds (Barr et al., 2014). So of two edits the one comes first whose text is written
elsewhere, too: ``if not callable(key):`` where five other functions ask that.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import Counter
from collections.abc import Iterator

from analysis.code_words import count_alike, words_of
from transforms.enumerate.streams import Offer
from transforms.tree.scope import EditScope

RUN = 3
"""Words and marks of one run."""

STRENGTH = 1.0
"""What being familiar is worth, as an exponent of ``e``: how much more an edit weighs that makes unknown runs known.

It was chosen on 69 fixes of five histories (decision 195).
"""

MOST_AHEAD = 300
"""So many edits wait at most for likelier ones, before the first of them is given."""

NEARBY = 2
"""Lines beside a changed one of which the words may stand next to it in a run."""

Run = tuple[str, ...]


class Familiarity:
    """What the module around one function makes familiar; the function's own lines count where they stay."""

    def __init__(self, scope: EditScope) -> None:
        around = (scope.source[: scope.start], scope.source[scope.end :])
        texts = (text.decode(scope.encoding, "replace") for text in around)
        self._lines = scope.tree.code.split("\n")
        self._around = frozenset(
            itertools.chain.from_iterable(_runs(words_of(text, with_lines=True)) for text in texts)
        )
        self._own = Counter(_runs(words_of(scope.tree.code, with_lines=True)))

    def gain(self, new: str) -> float:
        """How much more of the changed places is familiar in the new text than in the old one: from -1 to 1.

        It is 0 for a text that does not change.
        """
        lines = new.split("\n")
        start = count_alike(self._lines, lines)
        end = count_alike(self._lines[start:][::-1], lines[start:][::-1])
        first = max(0, start - NEARBY)
        texts = (each[first : len(each) - max(0, end - NEARBY)] for each in (self._lines, lines))
        lost, made = (words_of("\n".join(("", *text, "")), with_lines=True) for text in texts)
        lost_runs, made_runs = _changed_runs(lost, made), _changed_runs(made, lost)
        gone = Counter(lost_runs)
        return self._share(made_runs, gone) - self._share(lost_runs, gone)

    def _share(self, runs: list[Run], gone: Counter[Run]) -> float:
        known = sum(run in self._around or self._own[run] > gone[run] for run in runs)
        return known / len(runs) if runs else 0.0


def _runs(words: list[str]) -> list[Run]:
    return [tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)]


def _changed_runs(words: list[str], other: list[str]) -> list[Run]:
    """The runs of the words that touch what is not in the other text."""
    start = count_alike(words, other)
    end = count_alike(words[start:][::-1], other[start:][::-1])
    return _runs(words[max(0, start - RUN + 1) : len(words) - end + RUN - 1])


class FamiliarFirst:
    """Offers that wait for likelier ones, 300 at most, each weighed by how familiar it makes the text."""

    def __init__(self, familiarity: Familiarity) -> None:
        self._familiarity = familiarity
        self._waiting: list[tuple[float, int, Offer]] = []
        self._added, self._last = 0, math.inf

    def add(self, offer: Offer, text: str) -> None:
        """An offer, with the function as it leaves it."""
        weight = offer.weight * math.exp(STRENGTH * self._familiarity.gain(text))
        self._added += 1
        heapq.heappush(self._waiting, (-weight, self._added, offer))

    def ready(self, following: float) -> Iterator[tuple[Offer, float]]:
        """Those that no later offer can outweigh, and the likeliest of too many, with weights that never rise.

        No later offer weighs more than ``following`` before it is looked at.
        """
        most = following * math.exp(STRENGTH)
        while self._waiting and (-self._waiting[0][0] >= most or len(self._waiting) > MOST_AHEAD):
            weight, _, offer = heapq.heappop(self._waiting)
            self._last = min(self._last, -weight)
            yield offer, self._last

    @property
    def families(self) -> frozenset[str]:
        """The families of those that wait."""
        return frozenset(offer.operator.family for _, _, offer in self._waiting)
