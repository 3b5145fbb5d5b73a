"""Several lifts with one panel on each floor."""
from .lift import DOWN, IDLE, UP, Lift


class Building:
    def __init__(self, floors: int, lifts: int = 1):
        if floors < 2 or lifts < 1:
            raise ValueError("a building needs two floors and a lift")
        self.floors = floors
        self.lifts = [Lift(floors) for _ in range(lifts)]
        self.clock = 0
        self._calls = []  # (floor, time)
        self.waits = []

    @staticmethod
    def cost(lift: Lift, floor: int) -> int:
        """How many floors the lift would go until it is at *floor*, were it called now.

        An idle lift, or one that has no stops, comes straight away.  So does a
        lift that is going towards the floor (or is there).  Any other lift first
        finishes the stops ahead in its direction, if any, and then turns.
        """
        distance = abs(lift.floor - floor)
        if lift.direction == IDLE or not lift.stops:
            return distance
        if lift.direction == UP:
            if floor >= lift.floor:
                return distance
            turn = max(max(lift.stops), lift.floor)
            return (turn - lift.floor) + (turn - floor)
        if floor <= lift.floor:
            return distance
        turn = min(min(lift.stops), lift.floor)
        return (lift.floor - turn) + (floor - turn)

    def call(self, floor: int) -> int:
        """Somebody waits at *floor*: send the cheapest lift; return its number."""
        number = min(range(len(self.lifts)), key=lambda i: self.cost(self.lifts[i], floor))
        self.lifts[number].request(floor)
        self._calls.append((floor, self.clock))
        return number

    def tick(self) -> None:
        self.clock += 1
        for lift in self.lifts:
            before = len(lift.visited)
            lift.tick()
            if len(lift.visited) > before:
                self._answer(lift.floor)

    def _answer(self, floor: int) -> None:
        self.waits += [self.clock - time for f, time in self._calls if f == floor]
        self._calls = [(f, time) for f, time in self._calls if f != floor]

    def run(self, limit: int = 1000) -> None:
        while self._calls and limit:
            self.tick()
            limit -= 1

    def average_wait(self) -> float:
        return sum(self.waits) / len(self.waits) if self.waits else 0.0
