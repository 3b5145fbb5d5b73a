"""From all evidence to a risk: doubts are weighed together, and what is left of them is said.

A gate that weighs does not decide. Where the risk is small enough its doubts are listed beside its acceptance. Else
each such gate tells its heaviest doubt, and the heaviest of all has the one question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from repair.checks.catalog import MEASURED
from repair.checks.weights import Weights
from repair.records.verdict import WEIGHED_GATES, Decision, Doubt, Evidence, Risk


def weigh_evidence(
    evidence: Sequence[Evidence], weights: Weights, limit: float
) -> tuple[tuple[Evidence, ...], Risk | None]:
    """The evidence as the risk settles it, and the risk; ``None`` where not all gates that weigh have spoken."""
    spoken = {each.gate for each in evidence}
    if any(each.decision is Decision.REJECT for each in evidence) or not set(WEIGHED_GATES) <= spoken:
        return tuple(evidence), None
    risk = weights.risk_of(evidence, limit)
    shares = dict(risk.shares)
    if risk.is_accepted:
        return tuple(_accept(each) if each.doubts else each for each in evidence), risk
    every = [(shares.get(doubt.feature, 0.0), doubt) for each in evidence for doubt in each.doubts]
    heaviest = max(every, key=lambda each: each[0], default=(0.0, None))
    if heaviest[1] is None or heaviest[0] <= 0:
        return tuple(_thin(each, risk) if each.gate == "behaviour" else each for each in evidence), risk
    return tuple(_tell(each, shares, heaviest[1]) if each.doubts else each for each in evidence), risk


def _accept(evidence: Evidence) -> Evidence:
    """A gate whose doubts weigh too little together."""
    said = tuple(f"{doubt.claim}: {doubt.witness}" if doubt.witness else doubt.claim for doubt in evidence.doubts)
    claim = f"what speaks against it weighs too little: {evidence.doubts[0].claim}"
    return replace(
        evidence,
        decision=Decision.ACCEPT,
        claim=claim,
        witness="",
        question="",
        told=None,
        not_checked=(*said, *evidence.not_checked),
    )


def _tell(evidence: Evidence, shares: Mapping[str, float], heaviest: Doubt) -> Evidence:
    """A gate by its heaviest doubt; the heaviest of all alone asks its question."""
    every = sorted(evidence.doubts, key=lambda doubt: -shares.get(doubt.feature, 0.0))
    first = every[0]
    if shares.get(first.feature, 0.0) <= 0:
        return _accept(replace(evidence, doubts=tuple(every)))
    asked = first.question if first is heaviest else ""
    return replace(
        evidence,
        decision=Decision.UNKNOWN,
        claim=first.claim,
        witness=first.witness,
        question=asked,
        told=first.told if first is heaviest else None,
        doubts=tuple(every),
    )


def _thin(evidence: Evidence, risk: Risk) -> Evidence:
    """No single doubt: what was measured makes the risk too high."""
    measured = [name for name, share in risk.shares if share > 0 and name in MEASURED]
    because = f": {MEASURED[measured[0]]}" if measured else ""
    claim = f"too little speaks for the patch, at a risk of {risk.value:.0%}{because}"
    return replace(evidence, decision=Decision.UNKNOWN, claim=claim)
