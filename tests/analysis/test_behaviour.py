"""What a call does, and what that says of it."""

from __future__ import annotations

import pytest

from analysis.behaviour import (
    Behaviour,
    Ended,
    Hung,
    Raised,
    Returned,
    ends_pathologically,
    is_programming_error,
    symptom_of,
)


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
