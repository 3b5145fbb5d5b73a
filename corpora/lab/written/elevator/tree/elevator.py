"""One elevator that sweeps up and down (SCAN)."""
from requests_queue import Lobby, Passenger

UP, DOWN, IDLE = 1, -1, 0


class Elevator:
    def __init__(self, lobby: Lobby, capacity: int = 4, floor: int = 0):
        self.lobby = lobby
        self.capacity = capacity
        self.floor = floor
        self.direction = IDLE
        self.riders: list[Passenger] = []
        self.delivered: list[tuple[int, str]] = []
        self.clock = 0

    def stops(self) -> set[int]:
        """Floors to be visited: targets of the riders, and calls while there is room."""
        wanted = {p.target for p in self.riders}
        if len(self.riders) < self.capacity:
            wanted |= self.lobby.calls()
        return wanted

    def choose_direction(self) -> int:
        """Keep going while there is a stop ahead, else turn round.

        From rest the nearest stop decides; on a tie the elevator goes up.
        """
        stops = self.stops() - {self.floor}
        if not stops:
            return IDLE
        if self.direction == UP and any(s > self.floor for s in stops):
            return UP
        if self.direction == DOWN and any(s > self.floor for s in stops):
            return DOWN
        if self.direction != IDLE:
            return -self.direction
        nearest = min(stops, key=lambda s: (abs(s - self.floor), -s))
        return UP if nearest > self.floor else DOWN

    def open_doors(self) -> None:
        for rider in [p for p in self.riders if p.target == self.floor]:
            self.riders.remove(rider)
            self.delivered.append((self.clock, rider.name))
        self.riders += self.lobby.take(self.floor, self.capacity - len(self.riders))

    def step(self) -> None:
        """Serve the present floor, then move by at most one floor."""
        if self.floor in self.stops():
            self.open_doors()
        self.direction = self.choose_direction()
        self.floor += self.direction
        self.clock += 1

    def run(self, limit: int = 1000) -> list[tuple[int, str]]:
        while self.stops():
            if self.clock >= limit:
                raise RuntimeError("too many steps")
            self.step()
        return self.delivered
