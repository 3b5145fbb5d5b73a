import pytest

from liftsim import DOWN, IDLE, UP, Building, Lift


def test_too_small():
    with pytest.raises(ValueError):
        Building(1)


def test_call_sends_the_nearest_idle_lift():
    b = Building(10, 2)
    b.lifts[1].floor = 8
    assert b.call(6) == 1
    assert b.call(2) == 0


def moving(floor, direction, *stops):
    lift = Lift(20, floor)
    lift.direction = direction
    for stop in stops:
        lift.request(stop)
    return lift


@pytest.mark.parametrize("floor, cost", [(5, 0), (9, 4), (1, 4)])
def test_cost_of_idle_lift(floor, cost):
    assert Building.cost(moving(5, IDLE), floor) == cost


@pytest.mark.parametrize("direction, stops, floor, cost", [
    (UP, [9], 7, 2),
    (UP, [9], 5, 0),
    (UP, [9], 2, 11),
    (UP, [7, 12], 4, 15),
    (DOWN, [1], 3, 2),
    (DOWN, [1], 5, 0),
    (DOWN, [1], 6, 9),
    (DOWN, [4, 2], 9, 10),
])
def test_cost_of_moving_lift(direction, stops, floor, cost):
    assert Building.cost(moving(5, direction, *stops), floor) == cost


def test_call_prefers_lift_that_comes_this_way():
    b = Building(20, 2)
    b.lifts[0] = moving(5, UP, 12)
    b.lifts[1] = moving(10, DOWN, 1)
    assert b.call(4) == 1
    assert b.call(8) == 1
    assert b.call(11) == 0


def test_waits():
    b = Building(10)
    b.call(2)
    b.call(4)
    b.run()
    assert b.waits == [3, 6]
    assert b.average_wait() == 4.5
