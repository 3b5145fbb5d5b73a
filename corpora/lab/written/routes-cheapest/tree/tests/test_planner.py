import pytest

from routes import NoRoute, Route, cheapest_route, round_trip
from routes.planner import reachable, route_via
from routes.textmap import read_map


@pytest.fixture
def city():
    return read_map("""
        home - park: 2
        park - school: 3
        home - mill: 6
        mill - school: 3
        school - lake: 1
        hill > lake: 2
    """)


def test_simple(city):
    assert cheapest_route(city, "home", "park") == Route(("home", "park"), 2)


def test_two_legs(city):
    route = cheapest_route(city, "home", "school")
    assert route.stops == ("home", "park", "school")
    assert route.cost == 5


def test_long(city):
    route = cheapest_route(city, "mill", "lake")
    assert route.stops == ("mill", "school", "lake")


def test_detour_may_be_cheaper():
    network = read_map("""
        a - c: 5
        a - b: 1
        b - c: 1
    """)
    route = cheapest_route(network, "a", "c")
    assert route.stops == ("a", "b", "c")
    assert route.cost == 2


def test_direct_is_cheaper():
    network = read_map("a - b: 3\nb - c: 3\na - c: 2")
    assert cheapest_route(network, "a", "c") == Route(("a", "c"), 2)


def test_same_stop(city):
    assert cheapest_route(city, "home", "home") == Route(("home",), 0)


def test_unknown_stop(city):
    with pytest.raises(KeyError):
        cheapest_route(city, "home", "moon")
    with pytest.raises(KeyError):
        cheapest_route(city, "moon", "home")


def test_no_route(city):
    with pytest.raises(NoRoute):
        cheapest_route(city, "home", "hill")


def test_one_way(city):
    assert cheapest_route(city, "hill", "school").cost == 3


def test_avoid(city):
    route = cheapest_route(city, "home", "school", avoid=["park"])
    assert route.stops == ("home", "mill", "school")
    assert route.cost == 9


def test_avoid_everything(city):
    with pytest.raises(NoRoute):
        cheapest_route(city, "home", "lake", avoid={"school"})


def test_closed_road(city):
    city.close("park", "school")
    assert cheapest_route(city, "home", "school").cost == 9
    city.open("park", "school")
    assert cheapest_route(city, "home", "school").cost == 5


def test_via(city):
    route = route_via(city, ["school", "park", "home"])
    assert route == Route(("school", "park", "home"), 5)


def test_via_needs_two(city):
    with pytest.raises(ValueError):
        route_via(city, ["park"])


def test_round_trip(city):
    trip = round_trip(city, "home", "school")
    assert trip.stops == ("home", "park", "school", "mill", "home")
    assert trip.cost == 14


def test_reachable(city):
    assert reachable(city, "home", 5) == {"home": 0, "park": 2, "school": 5}
