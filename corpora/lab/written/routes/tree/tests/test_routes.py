import pytest

from routes.directions import directions, duration
from routes.network import Network, parse
from routes.planner import NoRoute, fastest, via

CITY = """
home - park 5
home - mall 20     # the slow road
park - mall 4
mall - work 3
park - work 15
work > depot 2
island - pier 1
"""


@pytest.fixture
def city():
    return parse(CITY)


def test_parse_errors():
    with pytest.raises(ValueError, match="line 2"):
        parse("a - b 3\na b 3")


def test_negative_road():
    with pytest.raises(ValueError):
        Network().add_road("a", "b", -1)


def test_direct_road_is_best(city):
    r = fastest(city, "home", "park")
    assert r.stops == ["home", "park"]
    assert r.minutes == 5


def test_detour_beats_direct_road(city):
    r = fastest(city, "home", "mall")
    assert r.stops == ["home", "park", "mall"]
    assert r.minutes == 9


def test_longer_chain(city):
    r = fastest(city, "home", "work")
    assert r.stops == ["home", "park", "mall", "work"]
    assert r.minutes == 12


def test_start_is_goal(city):
    r = fastest(city, "park", "park")
    assert r.stops == ["park"]
    assert r.minutes == 0


def test_one_way(city):
    assert fastest(city, "work", "depot").minutes == 2
    with pytest.raises(NoRoute):
        fastest(city, "depot", "work")


def test_no_route(city):
    with pytest.raises(NoRoute):
        fastest(city, "home", "island")


def test_unknown_stop(city):
    with pytest.raises(KeyError):
        fastest(city, "home", "moon")
    with pytest.raises(KeyError):
        fastest(city, "moon", "home")


def test_avoid(city):
    r = fastest(city, "home", "work", avoid={"mall"})
    assert r.stops == ["home", "park", "work"]
    assert r.minutes == 20


def test_avoid_everything(city):
    with pytest.raises(NoRoute):
        fastest(city, "home", "work", avoid={"mall", "park"})


def test_avoided_goal_is_still_reached(city):
    assert fastest(city, "home", "park", avoid={"park"}).minutes == 5


def test_closed_road(city):
    city.close_road("park", "mall")
    assert fastest(city, "home", "mall").minutes == 20


def test_via(city):
    r = via(city, "home", "park", "depot")
    assert r.stops == ["home", "park", "mall", "work", "depot"]
    assert r.minutes == 14


def test_directions(city):
    r = fastest(city, "park", "work")
    assert directions(city, r) == ["park -> mall: 4 min", "mall -> work: 3 min", "arrive after 7 min"]


def test_duration():
    assert duration(59) == "59 min"
    assert duration(125) == "2 h 05 min"
