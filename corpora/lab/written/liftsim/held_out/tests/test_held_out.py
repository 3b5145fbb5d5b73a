import pytest

from liftsim import DOWN, IDLE, UP, Building, Lift


def lift_at(floor, direction, stops=()):
    lift = Lift(30, floor)
    lift.direction = direction
    for stop in stops:
        lift.request(stop)
    return lift


@pytest.mark.parametrize("stops, floor, cost", [
    ([15], 9, 11),
    ([15], 0, 20),
    ([11, 13, 20], 9, 21),
    ([11], 5, 7),
    ([29], 9, 39),
    ([12, 3], 8, 6),
    ([12, 0], 8, 6),
    ([3], 8, 2),
    ([3, 5], 1, 9),
    ([10], 4, 6),
    ([15], 10, 0),
    ([15], 12, 2),
    ([15], 15, 5),
    ([15], 20, 10),
    ([3], 20, 10),
])
def test_going_up_from_ten(stops, floor, cost):
    assert Building.cost(lift_at(10, UP, stops), floor) == cost


@pytest.mark.parametrize("stops, floor, cost", [
    ([5], 11, 11),
    ([9, 7, 0], 11, 21),
    ([8, 17], 12, 6),
    ([8, 29], 12, 6),
    ([17], 12, 2),
    ([10], 16, 6),
    ([5], 10, 0),
    ([5], 8, 2),
    ([5], 5, 5),
    ([5], 1, 9),
])
def test_going_down_from_ten(stops, floor, cost):
    assert Building.cost(lift_at(10, DOWN, stops), floor) == cost


@pytest.mark.parametrize("direction", [UP, IDLE, DOWN])
@pytest.mark.parametrize("floor, cost", [(10, 0), (4, 6), (17, 7)])
def test_without_stops_straight_away(direction, floor, cost):
    assert Building.cost(lift_at(10, direction), floor) == cost


def test_asking_changes_nothing():
    lift = lift_at(10, UP, [15, 3])
    Building.cost(lift, 2)
    assert (lift.floor, lift.direction, lift.stops) == (10, UP, {15, 3})


@pytest.mark.parametrize("direction, stops, floor", [
    (UP, [15, 12], 4),
    (UP, [11], 9),
    (UP, [3], 1),
    (DOWN, [2, 6], 14),
    (DOWN, [9], 11),
    (UP, [14, 16], 15),
])
def test_cost_is_what_the_lift_really_goes(direction, stops, floor):
    lift = lift_at(10, direction, stops)
    cost = Building.cost(lift, floor)
    lift.request(floor)
    while floor not in lift.visited:
        lift.tick()
    assert lift.travelled == cost


def test_call_does_not_send_the_lift_that_goes_away():
    b = Building(30, 2)
    b.lifts[0] = lift_at(6, UP, [20])
    b.lifts[1] = lift_at(15, IDLE)
    assert b.call(5) == 1


def test_call_sends_the_turning_lift_when_that_is_cheaper():
    b = Building(30, 2)
    b.lifts[0] = lift_at(6, UP, [7])
    b.lifts[1] = lift_at(15, IDLE)
    assert b.call(5) == 0
