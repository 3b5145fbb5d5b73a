"""What people made of the patches of earlier runs, taken from the records into the ledger, by any door."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from analysis.errors import UsageError
from repair.memory.ledger import RunLedger
from repair.store.decisions import APPROVED, REJECTED, decisions_of, last_word
from repair.store.stored_run import UNDONE, StoredRun

MOST_RUNS = 50
"""So many of the newest runs are looked at: a patch is judged by people soon, or never."""


def hear_people(ledger: RunLedger, runs: Iterable[StoredRun]) -> None:
    """Write into the ledger what people said and did since; ``runs`` are the newest first."""
    newest = {run.id: run for run in islice(runs, MOST_RUNS) if not run.is_foreign}
    for run, outcome in ledger.outcomes(newest).items():
        said = word_of_people(newest[run])
        if said and said != outcome:
            ledger.decide(run, said)


def word_of_people(run: StoredRun) -> str:
    """``applied``, ``undone`` or ``rejected``, what was said last before what was done; empty where it was nothing."""
    try:
        said, undone = last_word(decisions_of(run)), run.read_json(UNDONE) is not None
    except UsageError:
        return ""  # its record is damaged
    if said == REJECTED:
        return "rejected"
    if said == APPROVED or run.is_applied:
        return "applied"
    return "undone" if undone else ""
