"""Rivals of a change from anywhere: what a search finds in a few seconds around the old function.

``fix`` comes to its candidates by a search, and knows what else passes. A change that somebody else made has rivals
too: they show a half fix, or a limit that is gone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace

from analysis.errors import OutOfTimeError, RepairError
from analysis.facts import Files, Suspect
from repair.engine.choosing import is_rival
from repair.engine.diagnosing import Diagnosed
from repair.hunt.search_loop import SearchLoop
from repair.hunt.search_parts import SearchParts
from repair.records.functions import edit_scope
from repair.records.task import Budget
from repair.trials.trial_router import TrialTier
from transforms.mutants.made import changed_old_lines
from transforms.tree.candidate import Candidate

MOST_SECONDS = 6.0
"""What the search may take, once its servers stand."""

MOST_TRIED = 800
"""Edits that are tried at most."""

MOST_RIVALS = 16
"""Rivals that are compared with the change, the smallest edits first."""


def find_rivals_of_change(
    parts: SearchParts, seen: Diagnosed, sources: Files, candidate: Candidate, seconds: float
) -> tuple[Candidate, ...]:
    """Other edits of the candidate's old function that pass the same tests; none where nothing fails to begin with.

    Only where trials are quick: elsewhere a few seconds are a few edits.
    """
    eager = tuple(proposer for proposer in parts.proposers if proposer.eager)
    function, baseline = candidate.function, seen.baseline
    if not eager or not baseline.failing or seconds <= 0.0:
        return ()
    suspect = _suspect(seen.localized.suspects, sources, candidate)
    around = replace(seen.localized, suspects=(suspect,))
    budget = Budget(max_seconds=min(seconds, MOST_SECONDS), max_candidates=MOST_TRIED)
    with (
        contextlib.suppress(OutOfTimeError, RepairError),
        contextlib.closing(parts.open_pool(baseline, sources)) as pool,
    ):
        pool.begin(around)
        if pool.router.tier_of(function) is not TrialTier.WARM:
            return ()
        result = SearchLoop(replace(parts, proposers=eager), baseline, around, sources, budget, pool).run()
        found = [each.candidate for each in result.survivors]
        rivals = [each for each in found if is_rival(each, candidate) and not each.imports]
        return tuple(sorted(rivals, key=lambda each: each.size)[:MOST_RIVALS])
    return ()


def _suspect(known: Sequence[Suspect], sources: Files, candidate: Candidate) -> Suspect:
    """The candidate's function with its suspicious lines, and those that the candidate changes as the first of them."""
    function = candidate.function
    scores = {line: score / 2 for each in known if each.function == function for line, score in each.line_scores}
    lines = changed_old_lines(*(edit_scope(files, function) for files in (sources, candidate.files)))
    scores |= dict.fromkeys(lines, 1.0)
    return Suspect(function, 1.0, ("a change edits it",), tuple(sorted(scores.items())))
