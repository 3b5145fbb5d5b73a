"""The score of one record: what its answer is worth, seen from the held-out side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from analysis.facts import digest
from corpora.bench.agreement import Agreement
from corpora.bench.record import BenchRecord, Cell
from corpora.bug import Bug, Fault
from corpora.json_lines import JsonRecord
from repair.records.result import Status, SuspectView

SCHEMA: Literal["repair.bench.score/1"] = "repair.bench.score/1"

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
    schema: Literal["repair.bench.score/1"] = field(default=SCHEMA, kw_only=True)
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
        return _bytes(record.submitted)
    return _bytes("".join(patch.diff.rstrip("\n") + "\n" for patch in result.patches if patch.rank == 1))


def left_patch(record: BenchRecord) -> bytes:
    """The answer, else what an external method submitted and the judge refused; ``b""`` for none."""
    return answer(record) or _bytes(record.submitted)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


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
