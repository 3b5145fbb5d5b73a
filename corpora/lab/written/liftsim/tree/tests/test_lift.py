import pytest

from liftsim import DOWN, IDLE, UP, Lift


def lift_at(floor, direction, *stops):
    lift = Lift(20, floor)
    lift.direction = direction
    for stop in stops:
        lift.request(stop)
    return lift


def test_no_stops():
    assert Lift(5).next_stop() is None


def test_bad_floors():
    with pytest.raises(ValueError):
        Lift(5, 5)
    with pytest.raises(ValueError):
        Lift(5).request(-1)


@pytest.mark.parametrize("direction", [UP, IDLE, DOWN])
def test_present_floor(direction):
    assert lift_at(4, direction, 3, 4, 5).next_stop() == 4


def test_idle_goes_to_nearest():
    assert lift_at(5, IDLE, 1, 8).next_stop() == 8
    assert lift_at(5, IDLE, 3, 8).next_stop() == 3


def test_idle_prefers_lower_when_equal():
    assert lift_at(5, IDLE, 7, 3).next_stop() == 3


def test_up_keeps_going_up():
    assert lift_at(5, UP, 4, 12, 9).next_stop() == 9


def test_down_keeps_going_down():
    assert lift_at(5, DOWN, 6, 1, 3).next_stop() == 3


def test_up_turns_to_nearest_below():
    assert lift_at(5, UP, 1, 4).next_stop() == 4


def test_down_turns_to_nearest_above():
    assert lift_at(5, DOWN, 9, 6).next_stop() == 6


def test_run_up_then_down():
    lift = lift_at(5, UP, 2, 8, 4, 6)
    assert lift.run() == [6, 8, 4, 2]
    assert lift.direction == IDLE
    assert lift.travelled == 9


def test_run_down_then_up():
    lift = lift_at(5, DOWN, 2, 8, 4, 6)
    assert lift.run() == [4, 2, 6, 8]


def test_tick_moves_one_floor():
    lift = lift_at(0, IDLE, 2)
    lift.tick()
    assert (lift.floor, lift.direction, lift.visited) == (1, UP, [])
    lift.tick()
    lift.tick()
    assert (lift.floor, lift.visited) == (2, [2])
    lift.tick()
    assert lift.direction == IDLE


def test_request_on_the_way():
    lift = lift_at(0, IDLE, 5)
    lift.tick()
    lift.request(3)
    assert lift.run() == [3, 5]


def test_stops_are_not_changed_by_asking():
    lift = lift_at(5, UP, 1, 4)
    lift.next_stop()
    assert lift.stops == {1, 4}
