"""One lift that serves its stops the way real lifts do."""

UP = 1
IDLE = 0
DOWN = -1


class Lift:
    """A lift keeps going in its direction as long as there is a stop ahead, then turns.

    Every tick it either moves one floor or, when it has arrived at a stop, opens
    its doors.  ``visited`` are the floors at which the doors opened.
    """

    def __init__(self, floors: int, floor: int = 0):
        if not 0 <= floor < floors:
            raise ValueError(f"no floor {floor}")
        self.floors = floors
        self.floor = floor
        self.direction = IDLE
        self.stops = set()
        self.visited = []
        self.travelled = 0

    def request(self, floor: int) -> None:
        """Add a stop. Asking twice for a floor is the same as asking once."""
        if not 0 <= floor < self.floors:
            raise ValueError(f"no floor {floor}")
        self.stops.add(floor)

    def next_stop(self):
        """The floor to serve next; None without stops.

        - The present floor, when it is a stop.
        - A lift going up serves the nearest stop above; when there is none above,
          the nearest below.  A lift going down does the same the other way round.
        - An idle lift goes to the nearest stop, and to the lower one of two that
          are equally near.
        """
        if not self.stops:
            return None
        if self.floor in self.stops:
            return self.floor
        above = [f for f in self.stops if f > self.floor]
        below = [f for f in self.stops if f < self.floor]
        if self.direction == UP:
            return min(above) if above else max(below)
        if self.direction == DOWN:
            return max(below) if below else min(above)
        return min(self.stops, key=lambda f: (abs(f - self.floor), f))

    def tick(self) -> None:
        target = self.next_stop()
        if target is None:
            self.direction = IDLE
            return
        if target == self.floor:
            self.stops.discard(target)
            self.visited.append(target)
            return
        self.direction = UP if target > self.floor else DOWN
        self.floor += self.direction
        self.travelled += 1

    def run(self, limit: int = 1000) -> list:
        """Tick until there is nothing to do; return the floors visited on the way."""
        start = len(self.visited)
        for _ in range(limit):
            if not self.stops:
                break
            self.tick()
        else:
            raise RuntimeError("the lift does not come to rest")
        self.direction = IDLE
        return self.visited[start:]
