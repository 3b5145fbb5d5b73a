import itertools
import random

import pytest

from routes.network import Network, parse
from routes.planner import NoRoute, fastest, via


def brute(net, stops, start, goal, avoid=()):
    """Fewest minutes over all simple paths, or None."""
    best = 0 if start == goal else None
    inner = [s for s in stops if s not in (start, goal) and s not in avoid]
    for n in range(len(inner) + 1):
        for mid in itertools.permutations(inner, n):
            path = [start, *mid, goal]
            try:
                took = sum(net.minutes(a, b) for a, b in zip(path, path[1:]))
            except KeyError:
                continue
            if best is None or took < best:
                best = took
    return best


def make(seed):
    rnd = random.Random(seed)
    net = Network()
    stops = "abcdef"
    for s in stops:
        net.add_stop(s)
    for a, b in itertools.permutations(stops, 2):
        if rnd.random() < 0.45:
            net.add_road(a, b, rnd.randint(0, 20), one_way=True)
    return net, stops


@pytest.mark.parametrize("seed", range(8))
def test_against_all_paths(seed):
    net, stops = make(seed)
    for start, goal in itertools.product(stops, repeat=2):
        want = brute(net, stops, start, goal)
        if want is None:
            with pytest.raises(NoRoute):
                fastest(net, start, goal)
            continue
        route = fastest(net, start, goal)
        assert route.minutes == want
        assert route.stops[0] == start and route.stops[-1] == goal
        assert sum(net.minutes(a, b) for a, b in zip(route.stops, route.stops[1:])) == want


@pytest.mark.parametrize("seed", range(8, 12))
def test_avoiding(seed):
    net, stops = make(seed)
    for start, goal in itertools.permutations(stops, 2):
        avoid = {"c", "e"}
        want = brute(net, stops, start, goal, avoid)
        if want is None:
            with pytest.raises(NoRoute):
                fastest(net, start, goal, avoid)
        else:
            route = fastest(net, start, goal, avoid)
            assert route.minutes == want
            assert not avoid & set(route.stops[1:-1])


def test_long_detour():
    net = parse("a - z 100\na - b 1\nb - c 1\nc - d 1\nd - e 1\ne - z 1")
    r = fastest(net, "a", "z")
    assert r.stops == list("abcdez")
    assert r.minutes == 5


def test_goal_improved_twice():
    net = parse("a - z 30\na - b 5\nb - z 15\nb - c 2\nc - z 3")
    assert fastest(net, "a", "z").minutes == 10


def test_goal_seen_late_is_still_not_final():
    net = parse("a - b 1\nb - z 50\na - c 10\nc - d 10\nd - z 10")
    assert fastest(net, "a", "z").stops == ["a", "c", "d", "z"]


def test_start_is_goal_with_roads_around():
    net = parse("a - b 1\nb - c 1\na - c 9")
    for s in "abc":
        r = fastest(net, s, s)
        assert (r.stops, r.minutes) == ([s], 0)


def test_lonely_start_is_goal():
    net = Network()
    net.add_stop("x")
    r = fastest(net, "x", "x")
    assert (r.stops, r.minutes) == (["x"], 0)


def test_free_roads():
    net = parse("a - b 0\nb - c 0\na - c 1")
    assert fastest(net, "a", "c").minutes == 0


def test_goal_in_avoid_needs_detour():
    net = parse("a - z 9\na - b 1\nb - z 1")
    assert fastest(net, "a", "z", avoid=["z"]).minutes == 2


def test_start_in_avoid():
    net = parse("a - z 9\na - b 1\nb - z 1")
    assert fastest(net, "a", "z", avoid={"a"}).minutes == 2


def test_via_takes_each_leg_best():
    net = parse("a - b 9\na - c 1\nc - b 1\nb - d 9\nc - d 1")
    r = via(net, "a", "b", "d")
    assert r.stops == ["a", "c", "b", "c", "d"]
    assert r.minutes == 4
