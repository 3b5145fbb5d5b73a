"""One lift car."""
from enum import Enum


class Direction(Enum):
    DOWN = -1
    IDLE = 0
    UP = 1


class FloorError(ValueError):
    pass


class Elevator:
    """A car between `bottom` and `top` (both included; cellars are negative).

    `on_arrive` is called with (car, floor) whenever the doors open.
    """

    def __init__(self, name, bottom=0, top=10, on_arrive=None):
        if top <= bottom:
            raise FloorError("a lift needs at least two floors")
        self.name = name
        self.bottom = bottom
        self.top = top
        self.floor = max(bottom, 0)
        self.direction = Direction.IDLE
        self.requests = set()
        self.travelled = 0
        self._on_arrive = on_arrive

    def request(self, floor):
        """Press a button.  At the car's own floor the doors open at once."""
        if not self.bottom <= floor <= self.top:
            raise FloorError(f"no floor {floor}")
        if floor == self.floor:
            self._arrived()
        else:
            self.requests.add(floor)

    def next_stop(self):
        """The floor the car will stop at next, None if nobody waits.

        A car under way keeps its direction as long as there are requests
        ahead of it, and serves the nearest of these first; otherwise it
        turns to the nearest request there is.  An idle car goes to the
        nearest request, to the lower one if two are equally near.  Asking
        changes nothing.
        """
        if not self.requests:
            return None
        above = [f for f in self.requests if f > self.floor]
        below = [f for f in self.requests if f < self.floor]
        if self.direction is Direction.UP and above:
            return min(above)
        if self.direction is Direction.DOWN and below:
            return min(below)
        return min(self.requests, key=lambda f: (abs(f - self.floor), f))

    def step(self):
        """Move one floor towards the next stop; False if there is none."""
        target = self.next_stop()
        if target is None:
            self.direction = Direction.IDLE
            return False
        self.direction = Direction.UP if target > self.floor else Direction.DOWN
        self.floor += self.direction.value
        self.travelled += 1
        if self.floor == target:
            self.requests.discard(target)
            self._arrived()
        return True

    def run(self, limit=1000):
        """Step until nobody waits; yields the floors passed."""
        for _ in range(limit):
            if not self.step():
                return
            yield self.floor

    def _arrived(self):
        if self._on_arrive is not None:
            self._on_arrive(self, self.floor)
