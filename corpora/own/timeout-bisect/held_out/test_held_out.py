import bisect

from search import between, first_at_least


def test_against_bisect():
    for length in range(9):
        numbers = [n * n // 2 for n in range(length)]
        for wanted in range(-1, 40):
            assert first_at_least(numbers, wanted) == bisect.bisect_left(numbers, wanted)


def test_between():
    assert between([1, 2, 2, 3, 9], 2, 9) == [2, 2, 3]
