"""The weights of all features, learned from labelled patches where some had them, and the risk that they give a patch.

The risk is a logistic regression (Cox, 1958): the log-odds that a patch is wrong are the sum of its features, each
times its weight. The table comes with the product as data. `make learn-weights` makes it, `make check-weights` checks
it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from repair.records.json_records import from_plain
from repair.records.verdict import Evidence, Risk

MOST_RISK = 0.02
"""The largest risk at which a patch is certified."""

UNEXPOSED = 0.65
"""Of the wrong patches by people so many agree with the answer to their question: 13 of 20, counted on 2026-11-24."""

MOST_COUNTED = 2
"""So many answers count: no more are asked for, and others may say nothing of the patch."""

ALONE = "tests_alone"
"""The doubt that nothing but the tests speaks for a find of the search."""

STRICT_RISK = 0.01
"""The largest one where more is asked for."""

OF_OTHER_FINDS = frozenset(
    (
        *("told_by_candidate", "contested", "outvoted", "narrower_rival", "half_mended", "other_function"),
        *("narrower", "wider", ALONE),
    )
)
"""Features of what other finds of a search say of a patch. A search finds them for right patches and for wrong ones."""


@dataclass(frozen=True, slots=True)
class FeatureWeight:
    """What one feature adds to the log-odds, and how many wrong and right patches had it when that was learned."""

    value: float
    wrong: int = 0
    right: int = 0

    @property
    def is_set_by_hand(self) -> bool:
        """Whether no labelled patch had the feature: then nothing was learned, and it is what we would say by hand."""
        return not self.wrong + self.right


@dataclass(frozen=True, slots=True)
class Band:
    """Patches whose risk, learned without their own project, lay below ``until`` and above the band before.

    ``share`` is that of wrong ones, with one in five patches wrong, and ``upper`` its upper bound (Wilson, 1927; 95 %).
    """

    until: float
    patches: int
    projects: int
    wrong: int
    upper: float
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class UnseenCertificates:
    """What became of certificates for finds of the search, in programs that nobody had looked at while rules were made.

    Hidden tests or the original's text told which were ``wrong``; ``upper`` is the upper bound of their share (Wilson,
    1927; 95 %). They are counted by hand, on the ``date``, where a bench opens programs for the first time.
    """

    certificates: int
    wrong: int
    upper: float
    date: str
    told: float = MOST_RISK
    """The mean of the risks that they were told."""

    @property
    def share(self) -> float:
        """How many of them were wrong."""
        return self.wrong / self.certificates

    @property
    def log_odds(self) -> float:
        """What such a find's log-odds lack: those that were counted, less those that were told."""
        return log_odds(self.share) - log_odds(self.told)


@dataclass(frozen=True, slots=True)
class Weights:
    """The table that ships: weights by feature, and what they rest on.

    ``by_people`` are the bands of patches that people wrote: the evidence tells least about these. ``unseen`` are
    certificates that were counted where no rule could know the program: what a certificate is worth is told by these.
    """

    intercept: float
    features: Mapping[str, FeatureWeight] = field(default_factory=dict)
    bands: tuple[Band, ...] = ()
    patches: int = 0
    projects: int = 0
    date: str = ""
    by_people: tuple[Band, ...] = ()
    unseen: UnseenCertificates | None = None

    def risk_of(self, evidence: Sequence[Evidence], limit: float, *, by_others: bool = False, answers: int = 0) -> Risk:
        """The risk of a patch by all that its gates found.

        That of a patch ``by_others`` than the search is at least the share of wrong ones among those of people that
        looked as good. Where nothing but the tests speaks for a find of the search, it is at least the share of
        ``unseen`` certificates that were wrong. Each of a person's ``answers`` lowers the odds of either.
        """
        features = features_of(evidence)
        shares, value = self.shares_of(features), self.risk_at(features)
        bands = self.by_people if by_others else self.bands
        band = next((each for each in bands if value <= each.until), Band(1.0, 0, 0, 0, 1.0))
        ordered = tuple(sorted(shares.items(), key=lambda each: (-each[1], each[0])))
        own = self.risk_at(by_its_own(features)) if by_others else value
        unseen = self.unseen if not by_others else None
        if by_others:
            value = max(value, _after_answers(band.share, answers))
        is_alone = unseen is not None and bool(features.get(ALONE))
        least = _after_answers(unseen.share, answers) if unseen is not None and is_alone else 0.0
        is_raised = value < least
        if unseen is not None and is_alone:
            own = sigmoid(self.log_odds_at(features) + unseen.log_odds)
            value = max(value, least)
        patches, projects = (band.patches, band.projects) if by_others else (self.patches, self.projects)
        by_hand = tuple(name for name, _ in ordered if self.features[name].is_set_by_hand)
        upper = max(value, band.upper)
        seen = (0, 1.0) if is_raised else (band.patches, band.upper)
        if unseen is not None:  # who looks worse than a certificate is not less often wrong
            upper = max(upper, unseen.upper)
        counted = (0, 0)
        if unseen is not None and (is_alone or value <= MOST_RISK):
            counted = (unseen.certificates, unseen.wrong)
        return Risk(value, upper, patches, projects, limit, ordered, by_others, own, by_hand, *seen, *counted)

    def risk_at(self, features: Mapping[str, float]) -> float:
        """The risk of a patch with these features."""
        return sigmoid(self.log_odds_at(features))

    def log_odds_at(self, features: Mapping[str, float]) -> float:
        """The natural logarithm of the odds that a patch with these features is wrong."""
        return self.intercept + sum(self.shares_of(features).values())

    def shares_of(self, features: Mapping[str, float]) -> dict[str, float]:
        """What each feature adds to the log-odds; one without a weight adds nothing."""
        known = self.features
        return {name: known[name].value * value for name, value in features.items() if name in known and value}


def _after_answers(share: float, answers: int) -> float:
    """The share of wrong patches that is left when so many answers of a person agreed with each of them."""
    odds = share / (1 - share) * UNEXPOSED ** min(answers, MOST_COUNTED) if share < 1 else math.inf
    return odds / (1 + odds) if odds < math.inf else 1.0


def features_of(evidence: Sequence[Evidence]) -> dict[str, float]:
    """The features of a patch: what was measured, and of each kind of doubt the strongest."""
    found: dict[str, float] = {}
    for name, value in _told(evidence):
        found[name] = max(value, found.get(name, value))
    return found


def by_its_own(features: Mapping[str, float]) -> dict[str, float]:
    """The features without what other finds of the search say: what orders a patch that somebody else wrote.

    The weights of these were learned on finds of a search, one against another, and the next find is as likely as the
    last. Who writes a patch means it.
    """
    return {name: value for name, value in features.items() if name not in OF_OTHER_FINDS}


def _told(evidence: Sequence[Evidence]) -> Iterator[tuple[str, float]]:
    for each in evidence:
        yield from each.features
        yield from ((doubt.feature, doubt.strength) for doubt in each.doubts)


def log_odds(share: float) -> float:
    """The natural logarithm of the odds of a share, which is bounded away from none and all."""
    bounded = min(1 - 1e-6, max(1e-6, share))
    return math.log(bounded / (1 - bounded))


def sigmoid(log_odds: float) -> float:
    """The probability of these log-odds."""
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, log_odds))))


@cache
def shipped_weights() -> Weights:
    """The table that comes with the product."""
    return read_weights(files("repair.checks").joinpath("weights.json").read_text(encoding="utf-8"))


def read_weights(text: str) -> Weights:
    """A table from its JSON. Raises ``ValueError`` for what is none."""
    made: Weights = from_plain(Weights, json.loads(text), "weights")
    return made
