import pytest

from grid import Grid, next_generation


@pytest.fixture
def letters():
    return Grid(["abc", "def", "ghi"])


def test_size(letters):
    assert letters.size == (3, 3)
    assert Grid([]).size == (0, 0)


def test_ragged_rows_are_refused():
    with pytest.raises(ValueError, match="differ"):
        Grid(["ab", "a"])


def test_in_the_middle(letters):
    assert letters.neighbours(1, 1) == list("abcdfghi")


def test_at_the_top_left(letters):
    assert letters.neighbours(0, 0) == list("bde")


def test_at_the_bottom(letters):
    assert letters.neighbours(2, 1) == list("defgi")


def test_at_the_right(letters):
    assert letters.neighbours(1, 2) == list("bcehi")


def test_blinker():
    grid = next_generation(Grid([[0, 1, 0], [0, 1, 0], [0, 1, 0]]))
    assert grid.rows == [[0, 0, 0], [1, 1, 1], [0, 0, 0]]


def test_count(letters):
    assert letters.count("e") == 1
