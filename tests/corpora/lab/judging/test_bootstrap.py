"""The interval of a share, drawn by whole groups."""

from __future__ import annotations

from corpora.lab.judging.bootstrap import clustered_interval


def test_groups_that_are_alike_within_count_as_one_case_each():
    low, high = clustered_interval([(10, 10), (0, 10)] * 20)
    assert 0.3 < low < 0.4 < 0.6 < high < 0.7
    assert clustered_interval([(10, 10), (0, 10)] * 20) == (low, high)


def test_groups_without_cases_are_passed_over():
    assert clustered_interval([(0, 0)]) == (0.0, 1.0)
    assert clustered_interval([(3, 3), (0, 0)]) == (1.0, 1.0)
