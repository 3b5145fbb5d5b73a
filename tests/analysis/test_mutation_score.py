"""States to counts and a score."""

from __future__ import annotations

import pytest

from analysis.mutation_score import MutantState, MutationScore, score_states

K, S, N, T, I = MutantState  # noqa: E741


@pytest.mark.parametrize(
    ("states", "value"),
    [((K,), 1.0), ((K, T, S, N), 0.5), ((S, N), 0.0), ((K, I, I), 1.0), ((I,), None), ((), None)],
)
def test_value(states, value):
    assert score_states(states).value == value


def test_counts():
    assert score_states([K, K, S, I]) == MutationScore(killed=2, survived=1, invalid=1)
    assert score_states([K, K, S, I]).valid == 3
