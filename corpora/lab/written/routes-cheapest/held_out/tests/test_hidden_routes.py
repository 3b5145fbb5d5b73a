import itertools
import random

import pytest

from routes import Network, NoRoute, Route, cheapest_route, round_trip
from routes.planner import reachable, route_via
from routes.textmap import read_map


def price_of(network, stops):
    return sum(network.price(a, b) for a, b in zip(stops, stops[1:]))


def floyd(network, stops, avoid=()):
    inf = float("inf")
    cost = {(a, b): 0 if a == b else inf for a in stops for b in stops}
    for a in stops:
        for b, price in network.neighbours(a):
            if b not in avoid:
                cost[a, b] = min(cost[a, b], price) if a != b else 0
    for k, a, b in itertools.product(stops, repeat=3):
        cost[a, b] = min(cost[a, b], cost[a, k] + cost[k, b])
    return cost


def random_network(seed, n=8, roads=16, one_way=False):
    rnd = random.Random(seed)
    network = Network()
    for i in range(n):
        network.add_stop(f"s{i}")
    for _ in range(roads):
        a, b = rnd.sample(range(n), 2)
        network.add_road(f"s{a}", f"s{b}", rnd.randint(0, 20), one_way)
    return network, [f"s{i}" for i in range(n)]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("one_way", [False, True])
def test_random(seed, one_way):
    network, stops = random_network(seed, one_way=one_way)
    cost = floyd(network, stops)
    for a in stops:
        for b in stops:
            if cost[a, b] == float("inf"):
                with pytest.raises(NoRoute):
                    cheapest_route(network, a, b)
            else:
                route = cheapest_route(network, a, b)
                assert route.cost == cost[a, b]
                assert route.stops[0] == a and route.stops[-1] == b
                assert price_of(network, route.stops) == route.cost


@pytest.mark.parametrize("seed", range(5))
def test_random_avoid(seed):
    network, stops = random_network(seed)
    cost = floyd(network, stops, avoid={"s3", "s5"})
    for a in stops:
        for b in stops:
            if a == b:
                continue
            if cost[a, b] == float("inf"):
                with pytest.raises(NoRoute):
                    cheapest_route(network, a, b, avoid=["s3", "s5"])
            else:
                route = cheapest_route(network, a, b, avoid=["s3", "s5"])
                assert route.cost == cost[a, b]
                assert not {"s3", "s5"} & set(route.stops[1:])


def test_improved_stop_in_the_middle():
    network = read_map("a - c: 9\na - b: 1\nb - c: 1\nc - d: 1\nd - e: 1")
    assert cheapest_route(network, "a", "e") == Route(("a", "b", "c", "d", "e"), 4)


def test_improved_twice():
    network = read_map("a - d: 9\na - b: 1\nb - d: 6\nb - c: 1\nc - d: 1")
    assert cheapest_route(network, "a", "d") == Route(("a", "b", "c", "d"), 3)


def test_worse_way_found_later():
    network = read_map("a - c: 4\na - b: 1\nb - c: 9\nc - d: 1")
    assert cheapest_route(network, "a", "c") == Route(("a", "c"), 4)
    assert cheapest_route(network, "a", "d") == Route(("a", "c", "d"), 5)


def test_stale_entry_before_goal():
    network = read_map("a - c: 5\na - b: 1\nb - c: 1\na - d: 50")
    assert cheapest_route(network, "a", "d") == Route(("a", "d"), 50)


class Stop:
    def __init__(self, name):
        self.name = name


def test_stops_that_cannot_be_compared():
    a, b, c, d = (Stop(n) for n in "abcd")
    network = Network()
    network.add_road(a, b, 1)
    network.add_road(a, c, 1)
    network.add_road(b, d, 1)
    network.add_road(c, d, 1)
    route = cheapest_route(network, a, d)
    assert route.cost == 2 and len(route) == 2


def test_mixed_stops():
    network = Network()
    network.add_road("a", 1, 2)
    network.add_road("a", ("x", 2), 2)
    network.add_road(1, "z", 5)
    network.add_road(("x", 2), "z", 1)
    assert cheapest_route(network, "a", "z") == Route(("a", ("x", 2), "z"), 3)


def test_zero_prices():
    network = read_map("a - b: 0\nb - c: 0\na - c: 1")
    assert cheapest_route(network, "a", "c") == Route(("a", "b", "c"), 0)


def test_float_prices():
    network = read_map("a - b: 0.5\nb - c: 0.25\na - c: 1.5")
    assert cheapest_route(network, "a", "c").cost == 0.75


def test_avoid_goal():
    network = read_map("a - b: 1")
    with pytest.raises(NoRoute):
        cheapest_route(network, "a", "b", avoid=["b"])


def test_avoid_start_is_fine():
    network = read_map("a - b: 1\nb - c: 1")
    assert cheapest_route(network, "a", "c", avoid=["a"]).cost == 2


def test_avoid_cheap_detour():
    network = read_map("a - c: 5\na - b: 1\nb - c: 1")
    assert cheapest_route(network, "a", "c", avoid=["b"]) == Route(("a", "c"), 5)
    assert cheapest_route(network, "a", "c", avoid=iter(["b"])).cost == 5


def test_closed_detour():
    network = read_map("a - c: 5\na - b: 1\nb - c: 1")
    network.close("c", "b")
    assert cheapest_route(network, "a", "c").cost == 5


def test_unreachable_with_cycle():
    network = read_map("a - b: 1\nb - c: 1\nc - a: 1")
    network.add_stop("z")
    with pytest.raises(NoRoute):
        cheapest_route(network, "a", "z")


def test_same_stop_and_unknown():
    network = read_map("a - b: 1")
    assert cheapest_route(network, "a", "a") == Route(("a",), 0)
    with pytest.raises(KeyError):
        cheapest_route(network, "a", "q")


def test_callers():
    network = read_map("a - c: 5\na - b: 1\nb - c: 1\nc - d: 1\na - d: 9")
    assert reachable(network, "a", 3) == {"a": 0, "b": 1, "c": 2, "d": 3}
    assert route_via(network, ["d", "c", "a"]) == Route(("d", "c", "b", "a"), 3)
    assert round_trip(network, "a", "c") == Route(("a", "b", "c", "a"), 7)
