import pytest

from histogram import bars, histogram


def test_nothing():
    assert histogram([], 3) == [0, 0, 0]


def test_bins_are_needed():
    with pytest.raises(ValueError, match="at least one"):
        histogram([1], 0)


def test_equal_numbers():
    assert histogram([4, 4, 4], 3) == [3, 0, 0]


def test_the_upper_end_is_in_the_last_bin():
    assert histogram([0, 10], 2) == [1, 1]


def test_even_spread():
    assert histogram(range(10), 5, 0, 10) == [2, 2, 2, 2, 2]


def test_numbers_outside():
    assert histogram([-5, 1, 99], 3, 0, 3) == [0, 1, 0]


def test_bars():
    assert bars([1, 2, 0], width=4) == ["**", "****", ""]
    assert bars([0]) == [""]
