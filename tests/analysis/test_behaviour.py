"""What a call does, and what that says of it."""

from __future__ import annotations

import pytest

from analysis.behaviour import (
    Behaviour,
    Ended,
    Hung,
    Raised,
    Returned,
    Rung,
    are_labels_apart,
    are_same_items,
    ends_pathologically,
    is_programming_error,
    is_truth_value,
    rung_between,
    symptom_of,
)

MADE, SHORT = Returned("[<make.<locals>.inner>]"), Returned("[<make.<locals>.<lambda>>]")


@pytest.mark.parametrize(
    ("behaviour", "symptom"),
    [
        (Returned("5"), ""),
        (Returned("0"), ""),
        (Returned("None"), "nothing"),
        (Returned("[]", left="args ([1],)"), "nothing"),
        (Returned("items []"), "nothing"),
        (Returned("items [], then raises KeyError('a')"), "nothing"),
        (Returned("items [1], then raises KeyError('a')"), ""),
        (Raised("KeyError", "'a'"), "KeyError"),
        (Hung(1.0), ""),
        (Ended("signal 11"), ""),
    ],
)
def test_symptoms_are_exceptions_and_nothing(behaviour: Behaviour, symptom: str) -> None:
    assert symptom_of(behaviour) == symptom


@pytest.mark.parametrize(
    ("behaviour", "truth"),
    [
        (Returned("True"), True),
        (Returned("False"), True),
        (Returned("'True'"), False),
        (Returned("0"), False),
        (Raised("False"), False),
    ],
)
def test_truth_values_are_true_and_false_alone(behaviour: Behaviour, truth: bool) -> None:
    assert is_truth_value(behaviour) is truth


@pytest.mark.parametrize(
    ("behaviour", "slip", "pathological"),
    [
        (Raised("TypeError"), True, False),
        (Raised("NameError"), True, True),
        (Raised("RecursionError"), False, True),
        (Raised("ValueError"), False, False),
        (Hung(1.0), False, True),
        (Returned("TypeError"), False, False),
        (Ended("signal 11"), False, False),
    ],
)
def test_slips_and_ends_that_nobody_means(behaviour: Behaviour, slip: bool, pathological: bool) -> None:
    assert (is_programming_error(behaviour), ends_pathologically(behaviour)) == (slip, pathological)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (MADE, SHORT, True),
        (Returned("<A object at 0x7f01aa>"), Returned("<A object at 0x7f02bb>"), True),
        (MADE, MADE, False),
        (MADE, Returned("[<make.<locals>.inner>, 1]"), False),
        (Returned("<tools.size>"), Returned("<tools.width>"), False),  # functions of a module: two of them
        (MADE, Returned(SHORT.value, whole=False), False),
        (MADE, Raised("KeyError"), False),
    ],
)
def test_functions_that_a_call_made_differ_in_their_names_alone(one: Behaviour, other: Behaviour, apart: bool) -> None:
    assert are_labels_apart(one, other) == apart
    assert not apart or rung_between(one, other) is Rung.NEAR


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("(1, 2)", "items [1, 2]", True),
        ("[1, 2]", "(1, 2)", True),
        ("(1, 2)", "(1, 2)", False),
        ("(1, 2)", "[1, 3]", False),
        ("'ab'", "['a', 'b']", False),
        ("(1, 2)", "<generator>", False),
    ],
)
def test_the_same_items_in_another_kind_of_sequence(one: str, other: str, same: bool) -> None:
    assert are_same_items(Returned(one), Returned(other)) == same
