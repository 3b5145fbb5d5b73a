"""How runs end that certify nothing: what is said of what was tried and found, and what may still help."""

from __future__ import annotations

from dataclasses import replace

from analysis.facts import Outcome
from repair.engine.diagnosing import Diagnosed
from repair.hunt.candidate_streams import Cut
from repair.hunt.search_result import SearchResult
from repair.records.outcome import RunOutcome
from repair.records.result import Status
from repair.records.task import RepairTask
from repair.records.wording import count_noun, list_names
from transforms.operators.catalog import MENDING, families

MOST_BEYOND = 5
"""Suspects that were not tried at all, of which the names are told."""


def describe_search(result: SearchResult) -> tuple[str, ...]:
    """What was tried, the best partial result, what was exhausted and what was cut, function by function."""
    counts = result.counts
    tried = counts.executed + counts.remembered
    lines = [f"{tried} candidates were tried ({counts.candidates} drawn, {counts.invalid} invalid): none is plausible"]
    if not tried and result.cut:
        lines.append("the budget was spent before the search began: give more with --max-seconds")
    if result.best:
        lines.append(f"the best one: {result.best}")
    if result.exhausted:
        lines.append(f"exhausted: {', '.join(result.exhausted)}")
    lines += [f"cut by the budget: {_describe_cut(cut)}" for cut in result.cut if cut.drawn]
    unbegun = [cut.title for cut in result.cut if not cut.drawn]
    if unbegun:
        lines.append(f"not begun: {', '.join(unbegun)}")
    if result.beyond:
        names = list_names(result.beyond, "function", MOST_BEYOND)
        lines.append(f"less suspicious, and never tried unless named: {names}")
    return tuple(lines)


def _describe_cut(cut: Cut) -> str:
    """After how many edits, and which kinds of edit were through by then or, if these are fewer, which were not.

    A proposer may not tell.
    """
    after = f"{cut.title} after {count_noun(cut.drawn, 'edit')}"
    if not cut.ended:
        return after
    left = [family for family in families(MENDING) if family not in cut.ended]
    if len(left) > len(cut.ended):
        return f"{after}; exhausted there: {', '.join(cut.ended)}"
    return f"{after}; not exhausted: {', '.join(left) or 'pairs of edits'}"


def suggest_next(task: RepairTask, *, exhausted: bool = False) -> str:
    """What may still help; nobody is told to name the function who has, nor to wait where nothing is left to try."""
    if exhausted:
        other = "" if task.function else ", or name another function with --function"
        said = "the search knows no further edit of these functions, more time will not help"
        return f"{said}: ask a model with --model{other}"
    if task.function:
        return "give more time with --max-seconds, or ask a model with --model"
    return "give more time with --max-seconds, name the function with --function, or ask a model with --model"


def describe_unjudged(count: int) -> tuple[str, ...]:
    """What is said of candidates that passed their trials, and of which no gate could say enough."""
    candidates = count_noun(count, "plausible candidate")
    return (f"{candidates} passed the failing tests; the time was up before one was tried on the others",)


def end_unrepaired(seen: Diagnosed, result: SearchResult) -> RunOutcome:
    """An ending without a patch, with what was counted."""
    warnings = (*seen.warnings(), *result.warnings)
    return replace(seen.end_with(Status.UNREPAIRED), counts=result.counts, warnings=warnings)


def end_without_suspects(seen: Diagnosed) -> RunOutcome:
    """Nothing runs that could be changed, or it is not known what runs, since a test was killed before it could say."""
    failures = [d.failure for d in seen.localized.diagnoses]
    hung = [f.test for f in failures if f.outcome is Outcome.HANG and not f.exceptions]
    if hung:
        where = "hangs where it cannot be interrupted, so that it is not known which functions it runs"
        message = f"{hung[0]} {where}: name the one to mend with --function"
        return replace(seen.end_with(Status.UNREPAIRED), messages=(message,))
    message = "No function of the project runs in the failing tests: there is nothing that a patch could change"
    return replace(seen.end_with(Status.OUT_OF_SCOPE), messages=(message,), brief=message)
