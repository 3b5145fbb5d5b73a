"""Several cars under one roof."""
from .elevator import Direction, Elevator
from .log import StopLog


class Building:
    def __init__(self, cars=2, bottom=0, top=10):
        self.log = StopLog()
        self.cars = [
            Elevator(f"car{i + 1}", bottom, top, on_arrive=self.log.record)
            for i in range(cars)
        ]

    def _cost(self, car, floor):
        """Floors to go, twice that if the car drives the other way."""
        distance = abs(car.floor - floor)
        if car.direction is Direction.IDLE:
            return distance
        ahead = (floor - car.floor) * car.direction.value >= 0
        return distance if ahead else 2 * distance + 1

    def call(self, floor):
        """Send the best car to `floor` and return it."""
        car = min(self.cars, key=lambda c: self._cost(c, floor))
        car.request(floor)
        return car

    def tick(self, times=1):
        """Let every car make a step; True if any of them moved."""
        moved = False
        for _ in range(times):
            moved = False
            for car in self.cars:
                moved = car.step() or moved
        return moved

    def display(self):
        """What the panels show, e.g. {"car1": "3 -> 5", "car2": "0"}."""
        panel = {}
        for car in self.cars:
            target = car.next_stop()
            panel[car.name] = str(car.floor) if target is None else f"{car.floor} -> {target}"
        return panel
