import itertools

import pytest

from lift.building import Building
from lift.elevator import Direction, Elevator

UP, DOWN, IDLE = Direction.UP, Direction.DOWN, Direction.IDLE


def car_at(floor, direction, requests, **kwargs):
    car = Elevator("car", bottom=-3, top=12, **kwargs)
    car.floor = floor
    car.direction = direction
    for wanted in requests:
        car.request(wanted)
    return car


@pytest.mark.parametrize("floor, direction, requests, expected", [
    (8, DOWN, [1, 6, 3], 6),
    (8, DOWN, [7], 7),
    (8, DOWN, [1], 1),
    (8, DOWN, [1, 9], 1),
    (8, DOWN, [5, 1, 9, 10], 5),
    (8, DOWN, [2, 9, 12], 2),
    (8, DOWN, [9, 11], 9),
    (8, UP, [9, 11, 7], 9),
    (8, UP, [12, 7], 12),
    (8, UP, [2, 5], 5),
    (8, UP, [7, 1, 9], 9),
    (5, IDLE, [1, 6], 6),
    (5, IDLE, [4, 9], 4),
    (5, IDLE, [3, 7], 3),
    (5, IDLE, [1, 3, 6, 12], 6),
    (5, IDLE, [12], 12),
    (1, DOWN, [-1, -3], -1),
    (0, DOWN, [-1, -2, -3], -1),
    (2, DOWN, [0, -1], 0),
    (2, DOWN, [1, -3], 1),
    (2, DOWN, [-3, 3], -3),
    (-1, UP, [0, 4, -2], 0),
    (-2, DOWN, [-1, -3], -3),
])
def test_next_stop(floor, direction, requests, expected):
    for order in itertools.islice(itertools.permutations(requests), 6):
        assert car_at(floor, direction, order).next_stop() == expected


def test_nobody_waits():
    for direction in Direction:
        assert car_at(4, direction, []).next_stop() is None


def test_asking_changes_nothing():
    for direction in Direction:
        for requests in ([1, 3], [8, 9], [1, 9]):
            car = car_at(5, direction, requests)
            assert car.next_stop() == car.next_stop()
            assert car.requests == set(requests)
            assert car.direction is direction
            assert car.floor == 5
            assert car.travelled == 0


def test_whole_run_down_then_up():
    stops = []
    car = car_at(6, DOWN, [7, 5, 2, 10, -1], on_arrive=lambda c, f: stops.append(f))
    list(car.run())
    assert stops == [5, 2, -1, 7, 10]
    assert car.travelled == 18
    assert car.direction is IDLE


def test_whole_run_up_then_down():
    stops = []
    car = car_at(6, UP, [7, 5, 2, 10, -1], on_arrive=lambda c, f: stops.append(f))
    list(car.run())
    assert stops == [7, 10, 5, 2, -1]


def test_new_request_on_the_way_down():
    stops = []
    car = car_at(9, IDLE, [1], on_arrive=lambda c, f: stops.append(f))
    car.step()
    car.step()
    car.request(4)
    car.request(8)
    list(car.run())
    assert stops == [4, 1, 8]


def test_idle_start_with_near_floor_above():
    stops = []
    car = car_at(5, IDLE, [1, 6], on_arrive=lambda c, f: stops.append(f))
    list(car.run())
    assert stops == [6, 1]


def test_cellar_run():
    stops = []
    car = car_at(1, IDLE, [-1, -2, -3], on_arrive=lambda c, f: stops.append(f))
    assert list(car.run()) == [0, -1, -2, -3]
    assert stops == [-1, -2, -3]


def test_display_on_the_way_down():
    house = Building(cars=1, bottom=-2, top=9)
    car = house.cars[0]
    car.floor = 9
    for floor in (-2, -1, 3):
        house.call(floor)
    assert house.display() == {"car1": "9 -> 3"}
    house.tick(7)
    assert house.display() == {"car1": "2 -> -1"}
    house.tick(4)
    assert house.log.stops() == [3, -1, -2]
