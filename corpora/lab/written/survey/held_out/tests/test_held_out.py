import pytest

from survey.histogram import bin_counts
from survey.report import histogram_lines


@pytest.mark.parametrize(
    "values, edges, expected",
    [
        ([], [0, 5, 10], [0, 0]),
        ([0], [0, 5, 10], [1, 0]),
        ([5], [0, 5, 10], [0, 1]),
        ([10], [0, 5, 10], [0, 1]),
        ([11], [0, 5, 10], [0, 0]),
        ([-1], [0, 5, 10], [0, 0]),
        ([-1, 11, 10.5, -0.1], [0, 5, 10], [0, 0]),
        ([4], [0, 2, 4], [0, 1]),
        ([2, 4, 4], [0, 2, 4], [0, 3]),
        ([100], [0, 25, 50, 75, 100], [0, 0, 0, 1]),
        ([25, 50, 75], [0, 25, 50, 75, 100], [0, 1, 1, 1]),
        ([1, 2, 3], [1, 3], [3]),
        ([10], [0, 10, 20], [0, 1]),
        ([10, 3], [0, 2, 4], [0, 1]),
        ([10, 10], [0, 10, 20, 30], [0, 2, 0]),
        ([-5, 0, 5], [-5, 0, 5], [1, 2]),
        ([0.1, 0.9, 1.0], [0.0, 0.5, 1.0], [1, 2]),
    ],
)
def test_bin_counts(values, edges, expected):
    assert bin_counts(values, edges) == expected


def test_inputs_are_not_changed():
    values, edges = [1, 10], [0, 5, 10]
    bin_counts(values, edges)
    assert values == [1, 10] and edges == [0, 5, 10]


def test_lines_with_values_outside():
    assert histogram_lines([1, 12, -3, 4], [0, 2, 4], width=2) == ["0-2 ## 1", "2-4 ## 1"]
