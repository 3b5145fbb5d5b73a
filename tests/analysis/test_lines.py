"""Sets of lines behave as other sets do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.lines import Lines

numbers = st.frozensets(st.integers(0, 300))


@given(numbers, numbers)
def test_a_set_of_lines_is_as_any_other_set(one, other):
    lines, others = Lines(one), Lines(other)
    assert lines == one
    assert one == lines
    assert (lines == others) is (one == other)
    assert hash(lines) == hash(one)
    assert (list(lines), len(lines), bool(lines)) == (sorted(one), len(one), bool(one))
    assert lines & others == lines & other == one & lines & others == one & other
    assert (lines | others, lines ^ other, other - lines) == (one | other, one ^ other, other - one)
    assert lines.isdisjoint(others) is lines.isdisjoint(other) is other.isdisjoint(lines) is one.isdisjoint(other)
    assert all((number in lines) is (number in one) for number in range(301))


def test_what_is_no_line_is_not_in_it():
    assert -1 not in Lines([1])
    assert "1" not in Lines([1])
    assert Lines([1]) != [1]


@pytest.mark.parametrize(
    ("ranges", "lines"), [([], []), ([(1, 3), (5, 5)], [1, 2, 3, 5]), ([(4, 6), (5, 9), (4, 4)], [4, 5, 6, 7, 8, 9])]
)
def test_ranges_are_told_with_their_last_line(ranges, lines):
    assert list(Lines.from_ranges(ranges)) == lines
    assert repr(Lines.from_ranges(ranges)) == f"Lines({lines})"
