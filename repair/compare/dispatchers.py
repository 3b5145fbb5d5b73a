"""What is odd about a patch by itself, and what it changes too much, from one comparison with the old function."""

from __future__ import annotations

from analysis.calls import Comparison, Witness
from repair.compare.collateral import (
    changes_only_named_value,
    crashes_anew,
    hangs_anew,
    moves_the_failure,
    passes_by_chance,
)
from repair.compare.comparing import Versions, bare, brought_in, constants
from repair.compare.overfitting import hard_codes_calls, mends_only_tested, picks_digits, rejects_single_number
from repair.records.ports import Submission


def of_itself(both: Versions, found: Comparison, submission: Submission) -> tuple[str, Witness, str] | None:
    """What is odd about the patch without a look at another: the claim, a witness and what to ask."""
    if found.unsteady:
        witness = found.unsteady[0]
        claim = "the patch answers one call in two ways, where the old function had one answer"
        return claim, witness, f"Should {witness.call} hang on anything but its arguments?"
    spared = mends_only_tested(found, submission.baseline.failing, brought_in(both))
    claim = "it changes what the failing tests themselves call, and nothing that is like it"
    if spared is None:
        spared = picks_digits(found, submission.baseline.failing, brought_in(both))
        claim = "it mends some digits in one place, each that the failing tests hold there, and no other"
    if spared is None:
        spared = rejects_single_number(found, submission.baseline.failing)
        claim = "it refuses the failing tests' own number, and the numbers on both sides of it are taken"
    if spared is None:
        spared = changes_only_named_value(found, submission.baseline.failing, brought_in(both))
        claim = "it changes calls with one value of the failing tests, which it names, and no other"
    if spared is None:
        made = hard_codes_calls(found, constants(both), brought_in(both))
        claim = "it holds every value of several calls of the tests that it changes"
        return (claim, made, "What should it answer on other values?") if made else None
    return (claim, spared, f"Should {spared.call} {bare(spared.mine)}, as before this patch?") if spared else None


def too_far(found: Comparison, submission: Submission) -> tuple[str, Witness] | None:
    """What the patch changes though nothing says that it was wrong: the claim and a witness."""
    moved = moves_the_failure(found)
    if moved is not None:
        return "a call that was fine ends with this patch as the failing tests' calls ended without it", moved
    crashed = crashes_anew(found)
    if crashed is not None:
        return "a call that was fine now ends in an exception that nobody raised", crashed
    hung = hangs_anew(found)
    if hung is not None:
        return "a call that was fine now does not end", hung
    lucky = passes_by_chance(found, submission.baseline.passing)
    claim = "it changes so much of what lies around the passing tests' calls that these pass by chance"
    return (claim, lucky) if lucky is not None else None
