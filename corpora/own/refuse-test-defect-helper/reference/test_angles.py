import pytest

from angles import normal, turn


def close_to(one, other):
    return abs(one - other) < 1e-9


@pytest.mark.parametrize(("angle", "expected"), [(0, 0), (360, 0), (-90, 270), (725, 5)])
def test_normal(angle, expected):
    assert normal(angle) == expected


def test_turn():
    assert turn(350, 10) == 20
    assert turn(10, 350) == -20


def test_turn_and_back():
    for one in range(0, 360, 45):
        for other in range(0, 360, 50):
            assert close_to(normal(one + turn(one, other)), other)
