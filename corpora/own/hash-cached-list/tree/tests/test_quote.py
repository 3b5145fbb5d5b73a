import pytest
from pricing.quote import UnknownZone, cheapest, quote
from pricing.rates import mean_rate


def test_mean_rate():
    assert mean_rate(("north", "south")) == 105


def test_nowhere():
    assert quote([], 10) == 0.0


def test_unknown_zone():
    with pytest.raises(UnknownZone, match="moon"):
        quote(["north", "moon"], 1)


@pytest.mark.parametrize(("zones", "weight", "expected"), [
    (["north"], 50, 60.0), (["south", "east"], 10, 9.5), (("west", "west", "south"), 3, 3.1),
])
def test_quote(zones, weight, expected):
    assert quote(zones, weight) == expected


def test_cheapest():
    assert cheapest({"a": ["north"], "b": ["south"]}, 10) == "b"
