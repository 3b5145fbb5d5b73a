"""What an answer is worth, seen from the held-out side: by the score of its record, and by a person's judgement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from analysis.facts import digest
from corpora.bench.agreement import Agreement, Standing
from corpora.bench.record import BenchRecord, Cell
from corpora.bug import Bug, Fault
from corpora.json_lines import JsonRecord
from repair.records.result import Status, SuspectView, pick_stack
from transforms.patch.diff import as_bytes

SCORE: Literal["repair.bench.score/1"] = "repair.bench.score/1"
JUDGEMENT: Literal["repair.bench.judgement/1"] = "repair.bench.judgement/1"

ANSWERS = frozenset({Status.CERTIFIED, Status.PLAUSIBLE})
"""Words under which a patch is an answer."""


@dataclass(frozen=True, slots=True)
class Score(JsonRecord):
    """What became of one cell. ``patch`` is the digest of the answer, ``""`` where the method gave none.

    ``compiled`` says whether the answer, or a patch that the judge refused, applies and compiles. ``failed`` says why
    an answer could not be compared on this machine: it is tried again with the next scoring. ``fault_rank`` is the
    place of the true function among the suspects, from 1. It is 0 where the function is not among them, and ``None``
    where the fault is not known or nobody ranked. ``group`` is the bug's: bugs of one group are no independent samples.
    """

    called = "score"
    schema: Literal["repair.bench.score/1"] = field(default=SCORE, kw_only=True)
    cell: Cell
    status: Status
    patch: str = ""
    compiled: bool = False
    agreement: Agreement | None = None
    fault_rank: int | None = None
    group: str = ""
    seconds: float = 0.0
    failed: str = ""


def answer(record: BenchRecord) -> bytes:
    """The answer as a unified diff: what an external method submitted, else the patch of rank 1; ``b""`` for none."""
    result = record.result
    if result is None or result.status not in ANSWERS:
        return b""
    if record.submitted:
        return as_bytes(record.submitted)
    if stack := pick_stack(result.stacks):  # of several causes all patches that go together
        return as_bytes(stack.diff)
    return as_bytes("".join(patch.diff.rstrip("\n") + "\n" for patch in result.patches if patch.rank == 1))


def left_patch(record: BenchRecord) -> bytes:
    """The answer, else what an external method submitted and the judge refused; ``b""`` for none."""
    return answer(record) or as_bytes(record.submitted)


def fault_rank(fault: Fault | None, suspects: Sequence[SuspectView]) -> int | None:
    """Where the true function stands among the suspects; 0 where it does not."""
    if fault is None or not suspects:
        return None
    places = [(suspect.file, suspect.function) for suspect in suspects]
    wanted = (fault.path, fault.qualname)
    return places.index(wanted) + 1 if wanted in places else 0


def score_without_run(record: BenchRecord, bug: Bug) -> Score:
    """The score of a record as far as no patch has to be run for it."""
    assert record.result is not None, "infrastructure is not scored"
    patch = answer(record)
    rank = fault_rank(bug.fault, record.result.suspects)
    name = digest(patch) if patch else ""
    return Score(record.cell, record.result.status, name, fault_rank=rank, group=bug.group)


@dataclass(frozen=True, slots=True)
class Judgement(JsonRecord):
    """A person's word on one patch of one bug; it holds for every configuration that gave this patch."""

    called = "judgement"
    schema: Literal["repair.bench.judgement/1"] = field(default=JUDGEMENT, kw_only=True)
    corpus: str
    bug: str
    patch: str
    says: Literal["agrees", "differs"]
    person: str
    reason: str
    date: str


def with_judgements(scores: Sequence[Score], judgements: Sequence[Judgement]) -> tuple[Score, ...]:
    """The scores with the last word of a person where one was said. What the machine saw stays in its fields."""
    words = {(said.corpus, said.bug, said.patch): said for said in judgements}
    found = []
    for score in scores:
        said = words.get((score.cell.corpus, score.cell.bug, score.patch)) if score.patch else None
        seen = score.agreement
        if said is not None:
            seen = replace(seen or Agreement(Standing.UNDECIDABLE), standing=Standing(said.says), by="person")
            seen = replace(seen, detail=f"{said.person}: {said.reason}")
        found.append(replace(score, agreement=seen))
    return tuple(found)
