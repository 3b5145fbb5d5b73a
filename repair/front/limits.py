"""Bounds on runs of tests, by the time that there is for all."""

from __future__ import annotations

from dataclasses import replace

from analysis.facts import Limits

LEAST_TEST_SECONDS = 5.0
"""What a single test gets, where there is time for it."""

TEST_SHARE, MOST_TEST_SHARE = 1 / 12, 1 / 6
"""The part of the time for all that a single test gets, and how much of it at most: it is run several times."""


def limits_of(max_seconds: float) -> Limits:
    """Bounds on one run of tests: neither a suite nor a test that hangs may use up the time for the whole."""
    usual = Limits()
    test = min(max(LEAST_TEST_SECONDS, TEST_SHARE * max_seconds), MOST_TEST_SHARE * max_seconds)
    return replace(
        usual,
        wall_seconds=min(usual.wall_seconds, max_seconds),
        test_seconds=min(usual.test_seconds, test),
    )
