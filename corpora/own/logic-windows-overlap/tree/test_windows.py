import pytest

from windows import local_peaks, pairs, windows


def test_pairs():
    assert pairs("abc") == [("a", "b"), ("b", "c")]
    assert pairs("a") == []


def test_peaks():
    assert local_peaks([1, 3, 2, 5, 4, 4]) == [3, 5]


def test_steps_within_the_window():
    assert list(windows(range(7), 3, 2)) == [(0, 1, 2), (2, 3, 4), (4, 5, 6)]


def test_steps_as_large_as_the_window():
    assert list(windows("abcde", 2, 2)) == [("a", "b"), ("c", "d")]


def test_steps_larger_than_the_window():
    assert list(windows(range(8), 2, 3)) == [(0, 1), (3, 4), (6, 7)]


def test_every_third():
    assert list(windows("abcdefg", 1, 3)) == [("a",), ("d",), ("g",)]


def test_lazy():
    endless = iter(int, 1)
    assert next(windows(endless, 4)) == (0, 0, 0, 0)


@pytest.mark.parametrize(("size", "step"), [(0, 1), (1, 0)])
def test_refused(size, step):
    with pytest.raises(ValueError, match="at least 1"):
        list(windows([], size, step))
