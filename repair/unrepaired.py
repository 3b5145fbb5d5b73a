"""What is said of a search that found nothing: what was tried, what was exhausted, and what the budget cut."""

from __future__ import annotations

from repair.catch import Catch
from repair.task import RepairTask


def told(catch: Catch) -> tuple[str, ...]:
    """What was tried, the best partial result, what was exhausted and what was cut."""
    tried = catch.executed + catch.remembered
    lines = [f"{tried} candidates were tried ({catch.drawn} drawn, {catch.invalid} invalid): none is plausible"]
    if not tried and catch.cut:
        lines.append("the budget was spent before the search began: give more with --max-seconds")
    if catch.best:
        lines.append(f"the best one: {catch.best}")
    if catch.exhausted:
        lines.append(f"exhausted: {', '.join(catch.exhausted)}")
    if catch.cut:
        lines.append(f"cut by the budget: {', '.join(catch.cut)}")
    return tuple(lines)


def next_action(task: RepairTask) -> str:
    """What may still help; nobody is told to name the function who has."""
    if task.function:
        return "give more time with --max-seconds, or ask a model with --model"
    return "give more time with --max-seconds, name the function with --function, or ask a model with --model"
