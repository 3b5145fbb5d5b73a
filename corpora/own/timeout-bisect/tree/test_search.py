from search import between, contains, first_at_least

NUMBERS = [2, 3, 5, 7, 11, 13]


def test_nothing():
    assert first_at_least([], 1) == 0
    assert not contains([], 1)


def test_before_all():
    assert first_at_least(NUMBERS, 1) == 0
    assert between(NUMBERS, -5, 2) == []


def test_the_first():
    assert contains([2], 2)


def test_in_the_middle():
    assert first_at_least(NUMBERS, 6) == 3


def test_behind_all():
    assert not contains(NUMBERS, 20)
