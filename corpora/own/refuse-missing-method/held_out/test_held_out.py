from points import Point


def test_keys():
    assert {Point(0, 1): "a"}[Point(0, 1)] == "a"
