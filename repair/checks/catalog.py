"""All checks, in the order in which a doubt is named."""

from __future__ import annotations

from analysis.behaviour import Witness
from repair.checks import (
    chance_passes,
    moved_failure,
    named_value_alone,
    new_crash,
    new_hang,
    noticed_by_tests,
    single_number_refused,
    some_digits_alone,
    spelled_out_calls,
    tested_values_alone,
    unreached_change,
    unsteady_answer,
)
from repair.checks.check import Behaved, Check

CHECKS: tuple[Check, ...] = (
    noticed_by_tests.CHECK,
    unsteady_answer.CHECK,
    tested_values_alone.CHECK,
    some_digits_alone.CHECK,
    single_number_refused.CHECK,
    named_value_alone.CHECK,
    spelled_out_calls.CHECK,
    moved_failure.CHECK,
    new_crash.CHECK,
    new_hang.CHECK,
    chance_passes.CHECK,
    unreached_change.CHECK,
)

RANKING: tuple[Check, ...] = (
    noticed_by_tests.CHECK,
    unreached_change.CHECK,
    tested_values_alone.CHECK,
    single_number_refused.CHECK,
    chance_passes.CHECK,
    unsteady_answer.CHECK,
)
"""Those that speak against a candidate among others, before it is judged."""


def first_doubt(found: Behaved) -> tuple[Check, Witness] | None:
    """The first check that has something to say, and its witness."""
    for check in CHECKS:
        witness = check.find(found)
        if witness is not None:
            return check, witness
    return None
