from points import Point, outline


def test_equal():
    assert Point(1, 2) == Point(1, 2)
    assert Point(1, 2) != Point(2, 1)


def test_moved():
    assert Point(1, 2).moved(1, -1) == Point(2, 1)


def test_outline():
    assert outline([Point(1, 5), Point(3, 2)]) == (Point(1, 2), Point(3, 5))


def test_in_sets():
    assert len({Point(1, 2), Point(1, 2), Point(0, 0)}) == 2
