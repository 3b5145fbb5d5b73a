"""Waiting passengers, floor by floor."""
from collections import defaultdict, deque
from typing import NamedTuple


class Passenger(NamedTuple):
    name: str
    origin: int
    target: int


class Lobby:
    def __init__(self, floors: int):
        if floors < 2:
            raise ValueError("need at least two floors")
        self.floors = floors
        self._waiting = defaultdict(deque)

    def arrive(self, passenger: Passenger) -> None:
        for floor in (passenger.origin, passenger.target):
            if not 0 <= floor < self.floors:
                raise ValueError(f"no floor {floor}")
        if passenger.origin == passenger.target:
            raise ValueError("already there")
        self._waiting[passenger.origin].append(passenger)

    def take(self, floor: int, room: int) -> list:
        """Up to ``room`` passengers of the floor in the order of arrival."""
        queue = self._waiting[floor]
        return [queue.popleft() for _ in range(min(room, len(queue)))]

    def calls(self) -> set:
        return {floor for floor, queue in self._waiting.items() if queue}
