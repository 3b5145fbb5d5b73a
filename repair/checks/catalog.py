"""All checks, and all that is measured of a patch beside them: the features that weights are learned for."""

from __future__ import annotations

from repair.checks import (
    against_annotation,
    against_docstring,
    as_beside,
    chance_passes,
    contested,
    failure_became_crash,
    given_back,
    half_mended,
    lost_refusal,
    made_superfluous,
    moved_failure,
    named_end,
    named_value_alone,
    narrower_rival,
    new_crash,
    new_hang,
    newly_negative,
    noticed_by_tests,
    object_for_plain,
    other_kind_of_change,
    outvoted,
    said_by_docstring,
    single_number_refused,
    some_digits_alone,
    spelled_out_calls,
    strange_type,
    tested_values_alone,
    tests_alone,
    told_by_rivals,
    turned_back,
    unnamed_end,
    unreached_change,
    unsteady_answer,
    written_argument,
)
from repair.checks.check import Behaved, Check, Support
from repair.records.verdict import Doubt

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
    failure_became_crash.CHECK,
    new_hang.CHECK,
    chance_passes.CHECK,
    unreached_change.CHECK,
    half_mended.CHECK,
    narrower_rival.CHECK,
    strange_type.CHECK,
    object_for_plain.CHECK,
    lost_refusal.CHECK,
    turned_back.CHECK,
    other_kind_of_change.CHECK,
    made_superfluous.CHECK,
    outvoted.CHECK,
    contested.CHECK,
    newly_negative.CHECK,
    written_argument.CHECK,
    against_docstring.CHECK,
    against_annotation.CHECK,
    unnamed_end.CHECK,
    *told_by_rivals.CHECKS,
)

LAST: tuple[Check, ...] = (tests_alone.CHECK,)
"""Asked of the patch that is judged, where nothing supports it. Ranks count by themselves who agrees with whom."""

EVERY = (*CHECKS, *LAST)
"""All checks."""

SUPPORTS: tuple[Support, ...] = (
    said_by_docstring.SUPPORT,
    named_end.SUPPORT,
    given_back.SUPPORT,
    as_beside.SUPPORT,
)
"""What speaks for a patch."""

MATERIAL = (
    *("nothing_compared", "old_unknown", "rival_unknown", "few_inputs", "other_function", "rivals_unsought"),
    *("unrun_line", "apart", "broken_example", "fault_elsewhere"),
    *("mutants_not_run", "mutants_lost", "no_mutants", "survivors_uncompared"),
    *("lost_guard", "unread_parameter", "repeated_statement", "dead_code", "only_reorders", "walks_copy"),
    "sorted_choice",
)
"""Doubts of the gates themselves, beside those of the checks: most of them say that little could be looked at."""

MEASURED = {
    "changed_share": "much of what nothing had found fault with changes",
    "near_changed": "much changes near the calls of passing tests",
    "reaching": "few inputs reach the change",
    "rivals_agreeing": "other patches that pass do the same",
    "narrower": "among programs next to it that pass, some change less",
    "wider": "among programs next to it that pass, some change more",
    "examples": "examples of the docstring hold",
    "answered": "a person said what it should do on an input",
    "vouching": "many passing tests run the function",
    "failing": "several failing tests are mended",
    "killed": "the tests kill many mutants of what the patch wrote",
    "swallows": "the edit catches an exception and goes on",
    "antipattern": "the edit has a shape that passes tests more often than it mends faults",
    "brought_in": "the edit names values that the function did not hold",
    "guard": "the edit adds a condition",
    "unlike_beside": "the edit takes out an expression that a function beside this one has, too",
    "reads_idle": "the edit reads a name that was bound and never read",
    "leaves_idle": "the edit leaves a name that is bound and never read",
    "size": "the edit is large",
    "survivors": "many mutants of what the patch wrote survive",
    "beyond_policy": "the edit is beyond the policy of its failure's class",
}
"""What is measured of every patch, and what it says where it makes the risk higher."""

FEATURES = frozenset((*(c.name for c in EVERY), *(s.name for s in SUPPORTS), *MATERIAL, *MEASURED))
"""Everything that can have a weight."""


def doubts_about(found: Behaved) -> tuple[Doubt, ...]:
    """What every check has to say, in their order."""
    return tuple(doubt for check in CHECKS if (doubt := check.doubt(found)) is not None)


def last_doubts_about(found: Behaved) -> tuple[Doubt, ...]:
    """What is asked where neither words nor what stands beside the function speak for a patch."""
    if any(support.find(found) for support in SUPPORTS):
        return ()
    return tuple(doubt for check in LAST if (doubt := check.doubt(found)) is not None)


def supports_of(found: Behaved) -> tuple[tuple[str, str], ...]:
    """What speaks for a patch: the name of each support, and the words that people read."""
    return tuple((support.name, words) for support in SUPPORTS if (words := support.find(found)))


def support_features(found: Behaved) -> tuple[tuple[str, float], ...]:
    """How much of each support counts."""
    return tuple((support.name, support.strength(found)) for support in SUPPORTS if support.find(found))
