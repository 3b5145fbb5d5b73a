"""A patch with another number in place of its own: it may pass the same tests, and change less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from time import monotonic

from analysis.behaviour import Difference
from analysis.calls import AgainstOld, Comparison
from analysis.facts import Digest
from analysis.trials import Trial, TrialState
from repair.compare.comparing import Versions, compare
from repair.records.ports import TrialSession
from transforms.mutants.other_numbers import other_numbers

MOST_NUMBERS = 14
"""How many numbers that pass the tests too are compared with the candidate's own."""

MOST_NUMBERS_SECONDS = 20.0
"""How long other numbers are tried: a loop over one of them may take all that the rest needs."""

MOST_NARROWER = 3
"""How many of those are compared with the old function."""


def find_passing_numbers(session: TrialSession, both: Versions, known: Sequence[Trial]) -> dict[Digest, Trial]:
    """The candidate with other numbers in place of its own, as far as the same tests pass."""
    digests = {trial.digest for trial in known}
    trials = {trial.digest: trial for trial in other_numbers(both.new, both.old) if trial.digest not in digests}
    until = monotonic() + MOST_NUMBERS_SECONDS
    in_time = takewhile(lambda _: monotonic() < until, trials.values())
    passed = {each.digest for each in session.trials(in_time) if each.state is TrialState.PASSED}
    return {digest: trials[digest] for digest in [each for each in trials if each in passed][:MOST_NUMBERS]}


def find_narrower_number(
    session: TrialSession, both: Versions, found: Comparison, others: Mapping[Digest, Trial], seed: int, effort: int
) -> tuple[str, Difference] | None:
    """Another number with which less of what the function did changes, and an input that tells."""
    for trial, difference in list(_leave_calls_alone(found, others))[:MOST_NARROWER]:
        variant = compare(session, replace(both, mine=trial), [], seed, effort)
        if is_narrower(variant.old, found.old):
            return trial.label.partition(":")[2], difference
    return None


def _leave_calls_alone(found: Comparison, others: Mapping[Digest, Trial]) -> Iterator[tuple[Trial, Difference]]:
    """Variants that leave a call as the old function had it, which the candidate changes; the shortest calls first."""
    for digest, difference in sorted(found.rivals.differences, key=lambda each: len(each[1].call.source)):
        departure = found.old.departure(difference.call)
        if digest in others and departure is not None and departure.other == difference.other:
            yield others[digest], difference


def is_narrower(variant: AgainstOld, found: AgainstOld) -> bool:
    """Whether the variant changes some of what the candidate changes, in the same way, and nothing else.

    Example: the candidate cuts texts from 10 letters on, the variant from 12 letters on.
    """
    ours, theirs = ({(each.call.given, each.mine) for each in one.departures} for one in (found, variant))
    return bool(theirs) and theirs < ours
