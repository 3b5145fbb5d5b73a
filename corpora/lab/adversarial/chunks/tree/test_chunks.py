import itertools

import pytest
from chunks import chunks, pages


@pytest.mark.parametrize(
    "items, size, pieces",
    [([1, 2, 3, 4, 5], 2, [[1, 2], [3, 4], [5]]), ("abcdefgh", 3, [["a", "b", "c"], ["d", "e", "f"], ["g", "h"]])],
)
def test_the_rest_comes_last(items, size, pieces):
    assert list(chunks(items, size)) == pieces


@pytest.mark.parametrize("items, size, pieces", [([1, 2, 3, 4], 2, [[1, 2], [3, 4]]), ([], 3, []), ("ab", 1, [["a"], ["b"]])])
def test_even(items, size, pieces):
    assert list(chunks(items, size)) == pieces


def test_lazy():
    assert list(itertools.islice(chunks(itertools.count(), 2), 2)) == [[0, 1], [2, 3]]


@pytest.mark.parametrize("size", [0, -1])
def test_size(size):
    with pytest.raises(ValueError, match="at least one"):
        list(chunks([1], size))


def test_pages():
    assert pages("abcd", 2) == [(1, ["a", "b"]), (2, ["c", "d"])]
