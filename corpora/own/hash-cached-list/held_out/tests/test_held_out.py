from pricing.quote import cheapest, quote
from pricing.rates import mean_rate


def test_order_does_not_count():
    mean_rate.cache_clear()
    assert quote(["north", "south"], 7) == quote(["south", "north"], 7) == 7.35
    assert mean_rate.cache_info().currsize == 1


def test_repeated_zones_count():
    assert quote(["north", "north", "south"], 10) == 11.0


def test_equal_tours():
    assert cheapest({"z": ["east"], "y": ["east"]}, 1) == "y"
