"""Restrictions of a patch that no test needs: the tests pass without them, and more would be mended."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.calls import Witness
from analysis.facts import Digest
from analysis.trials import TrialState
from repair.compare.comparing import Versions, compare
from repair.records.functions import as_trial
from repair.records.ports import TrialSession
from transforms.mutants.made import looser_forms

MOST_FORMS = 24


@dataclass(frozen=True, slots=True)
class RelaxedForms:
    """How many looser forms were tried, and how many pass. One that mends more has its ``witness`` and ``claim``."""

    forms: int = 0
    passing: int = 0
    witness: Witness | None = None
    claim: str = ""


def looser(session: TrialSession, both: Versions, seed: int, effort: int) -> RelaxedForms:
    """The patch without one of its restrictions, each: a condition, a part of one, a bound, a lookup.

    A form that passes the tests has a witness where it changes, in the way of the fix, what the patch leaves as it was.
    """
    forms = looser_forms(both.new, both.old)[: MOST_FORMS * effort]
    trials = {trial.digest: trial for trial in (as_trial(both.new, form.text, form.label) for form in forms)}
    outcomes = session.trials(trials.values()) if trials else ()
    passing = [trials[each.digest] for each in outcomes if each.state is TrialState.PASSED]
    if not passing:
        return RelaxedForms(len(forms))
    found = compare(session, both, passing, seed, effort, looser=True)
    if not found.witnesses:
        return RelaxedForms(len(forms), len(passing))
    told, witness = found.witnesses[0]
    label = trials[Digest(told)].label
    claim = f"the tests pass without a restriction of the patch, and more would be mended: {label}"
    return RelaxedForms(len(forms), len(passing), witness, claim)
