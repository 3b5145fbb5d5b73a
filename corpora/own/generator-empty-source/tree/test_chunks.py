import pytest

from chunks import chunks, differences, is_rising


@pytest.mark.parametrize(("numbers", "expected"), [([1], []), ([1, 4, 2], [3, -2]), (range(3), [1, 1])])
def test_differences(numbers, expected):
    assert list(differences(numbers)) == expected


def test_differences_of_nothing():
    assert list(differences([])) == []


def test_rising():
    assert is_rising([1, 2, 5])
    assert not is_rising([1, 1])


def test_nothing_is_rising():
    assert is_rising(iter(()))


def test_chunks():
    assert list(chunks("abcde", 2)) == [["a", "b"], ["c", "d"], ["e"]]


def test_size_is_checked():
    with pytest.raises(ValueError, match="at least one"):
        list(chunks([], 0))
