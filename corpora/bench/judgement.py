"""What a person said of an answer that no machine could decide, or decided wrongly: with name and reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from corpora.bench.agreement import Agreement, Standing
from corpora.bench.score import Score
from corpora.json_lines import JsonRecord

SCHEMA: Literal["repair.bench.judgement/1"] = "repair.bench.judgement/1"

Said = Literal["agrees", "differs"]


@dataclass(frozen=True, slots=True)
class Judgement(JsonRecord):
    """A person's word on one patch of one bug; it holds for every configuration that gave this patch."""

    called = "judgement"
    schema: Literal["repair.bench.judgement/1"] = field(default=SCHEMA, kw_only=True)
    corpus: str
    bug: str
    patch: str
    says: Said
    person: str
    reason: str
    date: str


def with_judgements(scores: Sequence[Score], judgements: Sequence[Judgement]) -> tuple[Score, ...]:
    """The scores with the last word of a person where one was said. What the machine saw stays in its fields."""
    words = {(said.corpus, said.bug, said.patch): said for said in judgements}
    return tuple(
        _apply_judgement(score, words.get((score.cell.corpus, score.cell.bug, score.patch))) for score in scores
    )


def _apply_judgement(score: Score, said: Judgement | None) -> Score:
    if said is None or not score.patch:
        return score
    seen = score.agreement or Agreement(Standing.UNDECIDABLE)
    detail = f"{said.person}: {said.reason}"
    return replace(score, agreement=replace(seen, standing=Standing(said.says), by="person", detail=detail))
