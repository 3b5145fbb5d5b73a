import pytest

from lift.elevator import Direction, Elevator, FloorError


def at(floor, direction=Direction.IDLE):
    car = Elevator("car", bottom=-2, top=10)
    car.floor = floor
    car.direction = direction
    return car


def test_new_car_is_idle():
    car = Elevator("car")
    assert car.floor == 0
    assert car.next_stop() is None
    assert car.step() is False


def test_one_request():
    car = Elevator("car")
    car.request(3)
    assert list(car.run()) == [1, 2, 3]
    assert car.requests == set()


def test_up_takes_the_nearest_first():
    car = at(2, Direction.UP)
    for floor in (9, 4, 6):
        car.request(floor)
    assert car.next_stop() == 4


def test_down_takes_the_nearest_first():
    car = at(8, Direction.DOWN)
    for floor in (1, 6, 3):
        car.request(floor)
    assert car.next_stop() == 6


def test_stops_on_the_way_down():
    stops = []
    car = Elevator("car", on_arrive=lambda c, floor: stops.append(floor))
    car.floor = 6
    for floor in (5, 4, 0):
        car.request(floor)
    list(car.run())
    assert stops == [5, 4, 0]
    assert car.travelled == 6


def test_up_before_turning():
    car = at(5, Direction.UP)
    car.request(4)
    car.request(9)
    assert car.next_stop() == 9


def test_turns_when_nothing_is_ahead():
    car = at(5, Direction.UP)
    car.request(2)
    car.request(4)
    assert car.next_stop() == 4


def test_own_floor_opens_at_once():
    stops = []
    car = Elevator("car", on_arrive=lambda c, floor: stops.append(floor))
    car.request(0)
    assert stops == [0]
    assert not car.requests


def test_unknown_floor():
    with pytest.raises(FloorError):
        Elevator("car").request(11)
