import pytest

from geo import Place


@pytest.mark.parametrize(("points", "expected"), [
    ((51.5, -0.12, 40.7, -74.0), 5570.0), ((-33.87, 151.2, 35.68, 139.69), 7823.0), ((45, 0, 45, 180), 10007.5),
])
def test_known(points, expected):
    assert Place.haversine(*points) == pytest.approx(expected, rel=0.005)


def test_symmetric():
    assert Place.haversine(10, 20, -30, 40) == pytest.approx(Place.haversine(-30, 40, 10, 20))
