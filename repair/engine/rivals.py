"""Rivals of a candidate: what else could stand in its place and passes the same tests.

A certificate is worth what its rivals are. A search that ends soon after its first survivor has seen few
of them. So the edits of the same statements are tried on purpose. Where one passes that behaves differently, the
tests do not settle which is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.facts import Files, Suspect
from repair.hunt.search_loop import SearchLoop
from repair.hunt.search_parts import SearchParts
from repair.hunt.search_result import SearchResult
from repair.hunt.tried_edit import TriedEdit
from repair.records.functions import edit_scope
from repair.records.plan import Localized
from repair.records.task import Baseline, Budget
from repair.trials.pool import Pool
from transforms.mutants.made import changed_old_lines
from transforms.rules.antipatterns import antipatterns
from transforms.synthesis.candidates import PROPOSER
from transforms.tree.candidate import Candidate

MOST_SECONDS = 15.0
"""What the search for rivals may take."""

MOST_TRIED = 800
"""Candidates that it tries at most."""


def search_rivals(
    parts: SearchParts,
    baseline: Baseline,
    localized: Localized,
    sources: Files,
    candidate: Candidate,
    seconds: float,
    pool: Pool,
) -> SearchResult | None:
    """Plausible edits of the statements that the candidate changes, found without asking a model.

    ``None`` where nobody can look for any. The pool is that of the search that found the candidate.
    """
    # What is synthesized for the failing tests has been drawn by the search before.
    eager = tuple(proposer for proposer in parts.proposers if proposer.eager and proposer.name != PROPOSER)
    if not eager or seconds <= 0.0:
        return None
    scopes = (edit_scope(files, candidate.function) for files in (sources, candidate.files))
    lines = changed_old_lines(*scopes)
    suspect = Suspect(
        candidate.function, 1.0, ("a candidate changes it",), tuple((line, 1.0) for line in sorted(lines))
    )
    budget = Budget(max_seconds=min(seconds, MOST_SECONDS), max_candidates=MOST_TRIED)
    around = replace(localized, suspects=(suspect,))
    result = SearchLoop(replace(parts, proposers=eager), baseline, around, sources, budget, pool).run()
    return result.with_survivors([s for s in result.survivors if s.candidate.digest != candidate.digest])


def merge_rivals(survivors: Sequence[TriedEdit], best: TriedEdit, found: Sequence[TriedEdit]) -> tuple[TriedEdit, ...]:
    """All survivors, each once. What was found around the best one stands behind it in the stream."""
    known = {s.candidate.digest for s in survivors}
    new = [replace(s, position=best.position + s.position) for s in found if s.candidate.digest not in known]
    return (*survivors, *new)


def is_rival(other: Candidate, mine: Candidate) -> bool:
    """Another plausible candidate that is not suspect by its shape."""
    return other.digest != mine.digest and not antipatterns(other.before, other.text, other.encoding)
