import pytest

from convert import Incompatible, UnknownUnit, convert
from convert.table import UNITS, define
from convert.text import answer


@pytest.mark.parametrize("value, src, dst, want", [
    (32, "F", "C", 0), (212, "F", "C", 100), (-40, "F", "C", -40), (98.6, "F", "C", 37),
    (0, "C", "F", 32), (100, "C", "F", 212), (-40, "C", "F", -40), (37, "C", "F", 98.6),
    (0, "K", "F", -459.67), (273.15, "K", "F", 32), (-459.67, "F", "K", 0), (32, "F", "K", 273.15),
    (50, "F", "F", 50), (-17.5, "fahrenheit", "F", -17.5), (25, "C", "C", 25),
    (3, "mi", "km", 4.828032), (16, "oz", "lb", 1), (36, "inch", "ft", 3), (2, "h", "min", 120),
])
def test_values(value, src, dst, want):
    assert convert(value, src, dst) == pytest.approx(want, abs=1e-9)


@pytest.mark.parametrize("a, b", [("F", "C"), ("F", "K"), ("C", "K"), ("m", "mi")])
def test_there_and_back(a, b):
    for value in (-300.5, -1, 0, 1, 71.25):
        assert convert(convert(value, a, b), b, a) == pytest.approx(value, abs=1e-9)


@pytest.fixture
def reaumur():
    define("Re", "temperature", 1.25, 273.15)
    yield
    del UNITS["Re"]


def test_another_scale(reaumur):
    assert convert(80, "Re", "C") == pytest.approx(100)
    assert convert(100, "C", "Re") == pytest.approx(80)
    assert convert(80, "Re", "F") == pytest.approx(212)
    assert convert(212, "F", "Re") == pytest.approx(80)


def test_errors():
    with pytest.raises(Incompatible):
        convert(1, "F", "m")
    with pytest.raises(UnknownUnit):
        convert(1, "F", "X")


def test_answer():
    assert answer("72 F to C") == "22.22 C"
    assert answer("21 C to F") == "69.8 F"
