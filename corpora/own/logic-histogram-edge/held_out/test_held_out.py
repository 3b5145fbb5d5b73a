import pytest

from histogram import histogram


@pytest.mark.parametrize(("numbers", "bins", "expected"), [
    ([1, 2, 3, 4], 4, [1, 1, 1, 1]), ([0, 0, 1], 2, [2, 1]), ([1, 2, 3], 1, [3]), ([0, 9, 10], 10, [1, 0, 0, 0, 0, 0, 0, 0, 0, 2]),
])
def test_counts(numbers, bins, expected):
    assert histogram(numbers, bins) == expected


def test_all_are_counted():
    assert sum(histogram([n * 0.37 for n in range(500)], 17)) == 500
