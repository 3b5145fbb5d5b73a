"""Rows for tests of what is made from them."""

from __future__ import annotations

from corpora.bench.agreement import Agreement, Standing
from corpora.bench.record import BenchRecord, Cell
from corpora.bench.score import Score
from corpora.bench.summary import ScoredCell
from repair.records.result import Cost, Counts, EvidenceView, PatchView, Result, Seconds, Status

AGREES, DIFFERS, OPEN = Standing.AGREES, Standing.DIFFERS, Standing.UNDECIDABLE
DIFF = "--- a/half.py\n+++ b/half.py\n@@ -1,2 +1,2 @@\n def half(n):\n-    return n // 3\n+    return n // 2\n"


def row(
    bug: str,
    status: Status | None,
    standing: Standing | None = None,
    *,
    name: str = "search",
    seed: int = 0,
    rank: int | None = None,
    group: str = "",
    corpus: str = "flat:x",
    sample: str = "",
) -> ScoredCell:
    """One cell; without a status the machine failed it."""
    cell = Cell(corpus, bug, name, seed)
    if status is None:
        return ScoredCell(
            BenchRecord(cell, "infrastructure", 9.0, "2026-01-01T00:00:00+00:00", error="disk full"), sample=sample
        )
    evidence = (EvidenceView("fixes", "accept", "2 of 2 pass", {"tests": 2}, seconds=0.5),)
    shown = (PatchView(1, status, "half.py", "half", DIFF, "d", evidence=evidence),) if standing else ()
    result = Result(
        status,
        patches=shown,
        counts=Counts(candidates=10, executed=8),
        cost=Cost(3, 4, 0.5, 1),
        seconds=Seconds(total=2.0, baseline=0.5, search=1.0, gates=0.5),
    )
    record = BenchRecord(cell, "done", 2.0, "2026-01-01T00:00:00+00:00", cpu_seconds=3.0, result=result)
    agreement = Agreement(standing, exact=standing is AGREES, tree=standing is AGREES) if standing is not None else None
    return ScoredCell(record, Score(cell, status, bug if standing else "", True, agreement, rank, group), sample)


SAMPLE = (
    row("a", Status.CERTIFIED, AGREES, rank=1),
    row("b", Status.CERTIFIED, DIFFERS, rank=3),
    row("c", Status.PLAUSIBLE, DIFFERS, rank=0),
    row("d", Status.PLAUSIBLE, OPEN, rank=5),
    row("e", Status.UNREPAIRED),
    row("f", None),
)
