"""A patch with another number in place of its own: it may pass the same tests, and change less."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from time import monotonic

from analysis.facts import Digest
from analysis.trials import Trial, TrialState
from repair.compare.comparing import Versions
from repair.records.ports import TrialSession
from transforms.mutants.other_numbers import other_numbers

MOST_NUMBERS = 14
"""How many numbers that pass the tests too are compared with the candidate's own."""

MOST_NUMBERS_SECONDS = 20.0
"""How long other numbers are tried: a loop over one of them may take all that the rest needs."""


def find_passing_numbers(session: TrialSession, both: Versions, known: Sequence[Trial]) -> dict[Digest, Trial]:
    """The candidate with other numbers in place of its own, as far as the same tests pass."""
    digests = {trial.digest for trial in known}
    trials = {trial.digest: trial for trial in other_numbers(both.new, both.old) if trial.digest not in digests}
    until = monotonic() + MOST_NUMBERS_SECONDS
    in_time = takewhile(lambda _: monotonic() < until, trials.values())
    passed = {each.digest for each in session.trials(in_time) if each.state is TrialState.PASSED}
    return {digest: trials[digest] for digest in [each for each in trials if each in passed][:MOST_NUMBERS]}
