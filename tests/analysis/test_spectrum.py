"""Formulas against values worked out by hand, and the counting."""

from __future__ import annotations

import math

import pytest

from analysis.facts import LineMap, TestId
from analysis.spectrum import SpectrumCounts, bound_score, dstar, line_counts, ochiai


@pytest.mark.parametrize(
    ("counts", "o", "d"),
    [
        (SpectrumCounts(1, 0, 0, 9), 1.0, math.inf),
        (SpectrumCounts(1, 9, 0, 0), 1 / math.sqrt(10), 1 / 9),
        (SpectrumCounts(2, 2, 1, 5), 2 / math.sqrt(12), 4 / 3),
        (SpectrumCounts(0, 3, 2, 1), 0.0, 0.0),
        (SpectrumCounts(0, 0, 0, 0), 0.0, 0.0),
    ],
)
def test_formulas(counts, o, d):
    assert ochiai(counts) == pytest.approx(o)
    assert dstar(counts) == pytest.approx(d)


def test_star_weighs_failing_tests():
    assert dstar(SpectrumCounts(3, 1, 1, 0), star=3) == 27 / 2


def test_bounded_keeps_the_order():
    assert bound_score(0.0) == 0.0
    assert bound_score(1.0) < bound_score(5.0) < bound_score(math.inf) == 1.0


def test_line_counts():
    t1, t2, t3, t4 = map(TestId, "abcd")
    line_map: LineMap = (
        (t1, (("a.py", frozenset({1, 2})),)),
        (t2, (("a.py", frozenset({1})), ("b.py", frozenset({7})))),
        (t3, (("a.py", frozenset({1})),)),
        (t4, (("a.py", frozenset({1, 9})),)),
    )
    counts = line_counts(line_map, [t1], [t2, t3, TestId("not traced")])
    assert counts == {
        ("a.py", 1): SpectrumCounts(1, 2, 0, 0),
        ("a.py", 2): SpectrumCounts(1, 0, 0, 2),
        ("b.py", 7): SpectrumCounts(0, 1, 1, 1),
    }
