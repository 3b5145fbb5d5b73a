import pytest

from convert import Incompatible, UnknownUnit, convert
from convert.text import answer, tidy


def test_length():
    assert convert(2, "km", "m") == 2000
    assert convert(1, "ft", "in") == pytest.approx(12)


def test_same_unit():
    assert convert(5, "kg", "kg") == 5


def test_mass_alias():
    assert convert(2, "pounds", "kg") == pytest.approx(0.90718474)


def test_time():
    assert convert(90, "min", "hour") == 1.5


def test_celsius():
    assert convert(20, "C", "K") == pytest.approx(293.15)
    assert convert(0, "K", "C") == pytest.approx(-273.15)


def test_fahrenheit():
    assert convert(212, "F", "C") == pytest.approx(100)
    assert convert(100, "C", "F") == pytest.approx(212)


def test_incompatible():
    with pytest.raises(Incompatible):
        convert(1, "kg", "m")


def test_unknown():
    with pytest.raises(UnknownUnit):
        convert(1, "parsec", "m")


def test_answer():
    assert answer("12 ft to m") == "3.66 m"
    assert answer("-1.5 km in m") == "-1500 m"
    with pytest.raises(ValueError):
        answer("how far is it")


def test_tidy():
    assert tidy(2.50) == "2.5"
    assert tidy(-0.001) == "0"
