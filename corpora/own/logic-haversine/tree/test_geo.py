import pytest

from geo import Place

BERLIN = Place("Berlin", 52.52, 13.405)
PARIS = Place("Paris", 48.8566, 2.3522)
QUITO = Place("Quito", 0.0, -78.5)
POLE = Place("Pole", 90.0, 0.0)


def test_same_place():
    assert BERLIN.distance(BERLIN) == 0


def test_to_the_pole():
    assert Place("x", 0.0, 0.0).distance(POLE) == pytest.approx(10007.5, abs=0.1)


def test_along_the_equator():
    assert QUITO.distance(Place("y", 0.0, -77.5)) == pytest.approx(111.19, abs=0.01)


def test_north_and_south():
    assert Place.haversine(10, 5, 11, 5) == pytest.approx(111.19, abs=0.01)


def test_berlin_to_paris():
    assert BERLIN.distance(PARIS) == pytest.approx(877.5, abs=1)


def test_along_the_sixtieth_parallel():
    assert Place.haversine(60, 0, 60, 1) == pytest.approx(55.6, abs=0.1)


def test_nearest():
    assert BERLIN.nearest([BERLIN, PARIS, QUITO]) is PARIS
    assert BERLIN.nearest([BERLIN]) is None
