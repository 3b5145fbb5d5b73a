import pytest

from elevator import DOWN, IDLE, UP, Elevator
from requests_queue import Lobby, Passenger


def lift(calls, floor, direction, riders=(), floors=12, capacity=4):
    lobby = Lobby(floors)
    for n, origin in enumerate(calls):
        lobby.arrive(Passenger(f"c{n}", origin, 0 if origin else 1))
    e = Elevator(lobby, floor=floor, capacity=capacity)
    e.direction = direction
    e.riders = [Passenger(f"r{n}", floor, t) for n, t in enumerate(riders)]
    return e


@pytest.mark.parametrize("calls, floor, direction, want", [
    ([], 4, IDLE, IDLE), ([], 4, UP, IDLE), ([], 4, DOWN, IDLE),
    ([4], 4, UP, IDLE), ([4], 4, DOWN, IDLE),
    ([6], 4, UP, UP), ([2], 4, UP, DOWN), ([2, 6], 4, UP, UP), ([3, 11], 4, UP, UP),
    ([2], 4, DOWN, DOWN), ([6], 4, DOWN, UP), ([2, 6], 4, DOWN, DOWN), ([0, 5], 4, DOWN, DOWN),
    ([6, 9], 4, DOWN, UP), ([4, 6], 4, DOWN, UP), ([4, 2], 4, DOWN, DOWN), ([1, 2, 3], 4, DOWN, DOWN),
    ([3], 4, DOWN, DOWN), ([5], 4, DOWN, UP), ([4, 2], 4, UP, DOWN),
    ([6], 4, IDLE, UP), ([2], 4, IDLE, DOWN), ([2, 6], 4, IDLE, UP), ([3, 6], 4, IDLE, DOWN), ([1, 6], 4, IDLE, UP),
])
def test_direction(calls, floor, direction, want):
    assert lift(calls, floor, direction).choose_direction() == want


def test_riders_count_too():
    assert lift([], 4, DOWN, riders=[1, 9]).choose_direction() == DOWN
    assert lift([9], 4, DOWN, riders=[3]).choose_direction() == DOWN
    assert lift([2], 4, UP, riders=[9]).choose_direction() == UP


def test_full_elevator_ignores_calls():
    assert lift([2], 4, DOWN, riders=[9, 9], capacity=2).choose_direction() == UP


def test_sweep_down_then_up():
    lobby = Lobby(12)
    for p in [("a", 6, 0), ("b", 8, 6), ("c", 3, 1)]:
        lobby.arrive(Passenger(*p))
    e = Elevator(lobby, floor=6)
    e.direction = DOWN
    assert e.run() == [(5, "c"), (6, "a"), (16, "b")]
