"""Whether a memory of other faults keeps a search from its mend: at which candidate it comes with and without one.

Mistakes are planted in functions of a library. The memory holds attempts of other projects, drawn from a fixed seed,
and templates of mistakes in the other libraries. Nothing is run: candidates are counted, so that a busy machine counts
the same. The mend is the function as it was. What passes some tests before it does is not seen.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.facts import Diagnosis, Failure, FailureClass, Outcome, Phase, SeenError, Suspect, TestId
from corpora.lab.benchmarks.history_reach import (
    MOST_CANDIDATES,
    MOST_SEARCHED,
    SmallFix,
    place_beside,
    place_of,
    planted_edits,
    planted_fixes,
)
from repair.front.run_inputs import LEARNED, order_named
from repair.memory.learning import MOST_TEMPLATES
from repair.memory.ledger import FILE, LedgerEntry, RunLedger
from repair.memory.run_memory import RunMemory
from repair.proposers.memory import SHARE, MemoryProposer
from repair.proposers.search import SearchProposer
from repair.records.ports import Context
from repair.records.task import PatchPlan
from transforms.ingredients.edit_templates import learn_templates
from transforms.tree.proposal import Proposal

SEED = 26
TOLD = 40
"""Mistakes of each other library that templates are learned of."""

KEY = b"unrelated" * 4
ERROR = SeenError("AssertionError", ("AssertionError",), "assert 4 == 5", ())
FAILURE = Failure(TestId("test_a.py::test_a"), Phase.CALL, Outcome.FAILED, (ERROR,), "assert 4 == 5")
DIAGNOSIS = Diagnosis(FAILURE, FailureClass.LOGIC, "wrong_value", ())


@dataclass(frozen=True, slots=True)
class Places:
    """At which candidate one mend comes: without a memory, with one, in its order, and beside its proposer."""

    alone: int
    by_default: int
    remembered: int
    beside: int


def unrelated_figures(roots: Sequence[Path], most: int, attempts: Sequence[LedgerEntry], today: int) -> dict[str, Any]:
    """The figures over so many mistakes, spread over the libraries; of those alone that the search comes to."""
    each = -(-most // len(roots))
    found: list[Places] = []
    with tempfile.TemporaryDirectory(prefix="unrelated-") as folder:
        others, own = (RunLedger(Path(folder, FILE), KEY, name) for name in ("/others", "/own"))
        others.add(replace(one, run=f"run-{number:06d}") for number, one in enumerate(attempts))
        for root in roots:
            edits = [edit for other in roots if other != root for edit in planted_edits(other, TOLD, SEED)]
            proposer = MemoryProposer((), learn_templates(edits, MOST_TEMPLATES), today)
            places = (_places(fix, proposer, own, today) for fix in planted_fixes(root, 4 * each, SEED))
            found += itertools.islice((one for one in places if one is not None), each)
    alone = [one.alone for one in found]
    return {
        "mistakes": len(found),
        "attempts": len(attempts),
        "median_alone": statistics.median(alone) if found else None,
        **{
            name: _compared(alone, [getattr(one, name) for one in found])
            for name in ("by_default", "remembered", "beside")
        },
    }


def _compared(alone: Sequence[int], other: Sequence[int]) -> dict[str, Any]:
    """How many candidates more there are, in all and in the middle of the ratios; how many mends come sooner, later."""
    pairs = list(zip(alone, other, strict=True))
    return {
        "more_in_all": round(sum(other) / max(1, sum(alone)) - 1, 4),
        "median_ratio": round(statistics.median(two / one for one, two in pairs), 4) if pairs else None,
        "sooner": sum(two < one for one, two in pairs),
        "later": sum(two > one for one, two in pairs),
    }


def _places(fix: SmallFix, proposer: MemoryProposer, ledger: RunLedger, today: int) -> Places | None:
    """Where one mend comes; ``None`` where the search does not come to it."""
    order = order_named(LEARNED, Path())
    alone = place_of(fix, SearchProposer(order), MOST_SEARCHED, (DIAGNOSIS,))
    if alone is None:
        return None
    asked = [RunMemory((ledger, ledger), today, moves=moves) for moves in (False, True)]
    orders = [SearchProposer(order, memory.reorder) for memory in asked]
    by_default, remembered = (place_of(fix, one, 2 * MOST_SEARCHED, (DIAGNOSIS,)) for one in orders)
    known = place_of(fix, proposer, MOST_CANDIDATES, (DIAGNOSIS,))
    beside = place_beside(alone, known, _count_edits(proposer, fix, 1 + alone // SHARE))
    return Places(alone, by_default or 2 * MOST_SEARCHED, remembered or 2 * MOST_SEARCHED, beside)


def _count_edits(proposer: MemoryProposer, fix: SmallFix, most: int) -> int:
    """How many edits the memory has, up to so many: each takes the turn of one of the search."""
    plan = PatchPlan(Suspect(fix.scope.function, 1.0, ("it is at fault",)), (DIAGNOSIS,), (), "")
    context = Context(fix.scope, fix.module, (), "", 0, tuple, lambda: 60.0)
    edits = (one for one in proposer.propose(plan, context) if isinstance(one, Proposal))
    return sum(1 for _ in itertools.islice(edits, most))
