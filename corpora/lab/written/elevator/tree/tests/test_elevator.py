import pytest

from elevator import DOWN, IDLE, UP, Elevator
from requests_queue import Lobby, Passenger
from stats import waiting_summary


def make(*passengers, floors=10, **kw):
    lobby = Lobby(floors)
    for p in passengers:
        lobby.arrive(Passenger(*p))
    return Elevator(lobby, **kw)


def test_idle_without_calls():
    assert make().choose_direction() == IDLE


def test_one_ride_up():
    assert make(("ann", 0, 5)).run() == [(5, "ann")]


def test_nearest_call_first():
    assert make(("ann", 2, 0), ("bob", 9, 0), floor=4).choose_direction() == DOWN


def test_keeps_going_up():
    lift = make(("ann", 6, 0), ("bob", 1, 0), floor=5)
    lift.direction = UP
    assert lift.choose_direction() == UP


def test_ride_down():
    assert make(("ann", 6, 2), floor=6).run() == [(4, "ann")]


def test_keeps_going_down():
    lift = make(("ann", 2, 0), ("bob", 1, 0), floor=5)
    lift.direction = DOWN
    assert lift.choose_direction() == DOWN


def test_capacity():
    lift = make(("a", 0, 1), ("b", 0, 1), ("c", 0, 1), capacity=2)
    lift.open_doors()
    assert [p.name for p in lift.riders] == ["a", "b"]


def test_bad_floor():
    with pytest.raises(ValueError):
        make(("ann", 0, 10))


def test_summary():
    assert waiting_summary([]) == {"count": 0, "mean": 0.0, "longest": None}
    assert waiting_summary([(2, "a"), (4, "b")])["mean"] == 3.0
