"""From all evidence to a risk: doubts are weighed together, and what is left of them is said.

A gate that weighs does not decide. Where the risk is small enough its doubts are listed beside its acceptance. Else
each such gate tells its heaviest doubt. One question is asked: the one whose answer takes most from the risk, among
those that a person reads in a moment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis.behaviour import Rung, rung_between
from repair.checks.catalog import MEASURED
from repair.checks.weights import Weights
from repair.records.verdict import WEIGHED_GATES, Decision, Doubt, Evidence, Risk
from repair.records.witness_text import MOST_READ, ask_which, describe_witness, is_odd, is_readable
from repair.records.wording import count_noun

LEAST_WORTH = 0.3
"""A doubt that adds less to the log-odds is listed, and nobody is asked about it."""

MOST_QUESTIONS = 2
"""Answers for a patch after which nothing more is asked: what is open then is a sentence."""

NO_THIRD = "two inputs are answered, and a third is not asked about: a person has to read what is in doubt"

SECOND = "told_by_model"
"""The doubt that is asked about first: where a model that did not see the patch meant something else."""

UNREADABLE = 0.3
"""What a question is worth that takes longer to read, or that is about values which nobody would write."""


def weigh_evidence(
    evidence: Sequence[Evidence], weights: Weights, limit: float, *, by_others: bool = False, answers: int = 0
) -> tuple[tuple[Evidence, ...], Risk | None]:
    """The evidence as the risk settles it, and the risk; ``None`` where not all gates that weigh have spoken.

    Where a person gave so many ``answers`` that nothing more is asked, the doubts are told without a question. A patch
    ``by_others`` was not found by the search.
    """
    may_ask = answers < MOST_QUESTIONS
    spoken = {each.gate for each in evidence}
    if any(each.decision is Decision.REJECT for each in evidence) or not set(WEIGHED_GATES) <= spoken:
        return tuple(evidence), None
    risk = weights.risk_of(evidence, limit, by_others=by_others, answers=answers)
    shares = dict(risk.shares)
    if risk.is_accepted:
        return tuple(map(_accept, evidence)), risk
    every = [doubt for each in evidence for doubt in each.doubts if shares.get(doubt.feature, 0.0) >= LEAST_WORTH]
    second = next((d for each in evidence for d in each.doubts if d.feature == SECOND and _tells(d)), None)
    if not every and second is None:
        thin = tuple(_thin(each, risk) if each.gate == "behaviour" else _accept(each) for each in evidence)
        return (thin if may_ask else tuple(map(_keep_silent, thin))), risk
    asked = second or max(every, key=lambda doubt: _worth_asking(doubt, shares))
    if not asked.question:  # what weighs most is no question to a person: then some input is one
        others = [doubt for each in evidence for doubt in each.doubts if doubt.question]
        asked = max(others, key=lambda doubt: doubt.strength, default=asked)
    told = tuple(_tell(each, shares, asked) if each.doubts else each for each in evidence)
    return (told if may_ask else tuple(map(_keep_silent, told))), risk


def _tells(doubt: Doubt) -> bool:
    """Whether the two ends of its input are not next to the same."""
    return doubt.told is not None and rung_between(doubt.told.mine, doubt.told.other) > Rung.NEAR


def _worth_asking(doubt: Doubt, shares: Mapping[str, float]) -> float:
    """What an answer would take from the risk: all of the doubt's share where a person reads its input in a moment."""
    share = shares.get(doubt.feature, 0.0)
    if not doubt.question:
        return 0.0
    told = doubt.told
    readable = is_readable(told) if told is not None else 0 < len(doubt.witness) <= MOST_READ
    return share if readable and not (told is not None and is_odd(told.call.source)) else UNREADABLE * share


def _keep_silent(evidence: Evidence) -> Evidence:
    """A gate that weighs, without the question that it would ask."""
    if evidence.gate not in WEIGHED_GATES or not evidence.question:
        return evidence
    return replace(evidence, question="", told=None, not_checked=(NO_THIRD, *evidence.not_checked))


def _accept(evidence: Evidence) -> Evidence:
    """A gate whose doubts weigh too little together."""
    if not evidence.doubts:
        return evidence
    said = tuple(f"{doubt.claim}: {doubt.witness}" if doubt.witness else doubt.claim for doubt in evidence.doubts)
    claim = f"what speaks against it weighs too little: {evidence.doubts[0].claim}"
    return replace(
        evidence,
        decision=Decision.ACCEPT,
        claim=claim,
        witness="",
        question="",
        told=None,
        not_checked=tuple(dict.fromkeys((*said, *evidence.not_checked))),
    )


def _tell(evidence: Evidence, shares: Mapping[str, float], asked: Doubt) -> Evidence:
    """A gate by the doubt that is asked about, else by its heaviest one; no other one asks its question."""
    every = sorted(evidence.doubts, key=lambda doubt: (doubt is not asked, -shares.get(doubt.feature, 0.0)))
    first = every[0]
    if first is not asked and shares.get(first.feature, 0.0) < LEAST_WORTH:
        return _accept(replace(evidence, doubts=tuple(every)))
    return replace(
        evidence,
        decision=Decision.UNKNOWN,
        claim=first.claim,
        witness=first.witness,
        question=first.question if first is asked else "",
        told=first.told if first is asked else None,
        doubts=tuple(every),
    )


def _thin(evidence: Evidence, risk: Risk) -> Evidence:
    """No doubt is worth a question: what was measured makes the risk too high. A call that changes is asked about."""
    measured = [name for name, share in risk.shares if share > 0 and name in MEASURED]
    because = f": {MEASURED[measured[0]]}" if measured else ""
    if risk.by_others:
        because = f": so many were wrong of {count_noun(risk.patches, 'change')} by people that looked as good"
    claim = f"too little speaks for the patch, at a risk of {100 * risk.value:.1f} %{because}"
    accepted, told = _accept(evidence), evidence.change
    asked = ask_which(told) if told is not None else ""
    witness = describe_witness(told) if told is not None else ""
    return replace(accepted, decision=Decision.UNKNOWN, claim=claim, witness=witness, question=asked, told=told)
