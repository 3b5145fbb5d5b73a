"""What is said of a search that found nothing: what was tried, what was exhausted, and what the budget cut."""

from __future__ import annotations

from repair.hunt.catch import Catch
from repair.hunt.lanes import Cut
from repair.records.task import RepairTask
from repair.records.wording import counted, named
from transforms.operators.catalog import MENDING, families

MOST_BEYOND = 5
"""Suspects that were not tried at all, of which the names are told."""


def told(catch: Catch) -> tuple[str, ...]:
    """What was tried, the best partial result, what was exhausted and what was cut, function by function."""
    tried = catch.executed + catch.remembered
    lines = [f"{tried} candidates were tried ({catch.drawn} drawn, {catch.invalid} invalid): none is plausible"]
    if not tried and catch.cut:
        lines.append("the budget was spent before the search began: give more with --max-seconds")
    if catch.best:
        lines.append(f"the best one: {catch.best}")
    if catch.exhausted:
        lines.append(f"exhausted: {', '.join(catch.exhausted)}")
    begun = [cut for cut in catch.cut if cut.drawn]
    lines += [f"cut by the budget: {_how_far(cut)}" for cut in begun]
    unbegun = [cut.title for cut in catch.cut if not cut.drawn]
    if unbegun:
        lines.append(f"not begun: {', '.join(unbegun)}")
    if catch.beyond:
        lines.append(f"less suspicious, and never tried unless named: {named(catch.beyond, 'function', MOST_BEYOND)}")
    return tuple(lines)


def _how_far(cut: Cut) -> str:
    """After how many edits, and which kinds of edit were through by then or, if these are fewer, which were not.

    A proposer may not tell.
    """
    after = f"{cut.title} after {counted(cut.drawn, 'edit')}"
    if not cut.ended:
        return after
    left = [family for family in families(MENDING) if family not in cut.ended]
    if len(left) > len(cut.ended):
        return f"{after}; exhausted there: {', '.join(cut.ended)}"
    return f"{after}; not exhausted: {', '.join(left) or 'pairs of edits'}"


def next_action(task: RepairTask, *, exhausted: bool = False) -> str:
    """What may still help; nobody is told to name the function who has, nor to wait where nothing is left to try."""
    if exhausted:
        other = "" if task.function else ", or name another function with --function"
        said = "the search knows no further edit of these functions, more time will not help"
        return f"{said}: ask a model with --model{other}"
    if task.function:
        return "give more time with --max-seconds, or ask a model with --model"
    return "give more time with --max-seconds, name the function with --function, or ask a model with --model"
