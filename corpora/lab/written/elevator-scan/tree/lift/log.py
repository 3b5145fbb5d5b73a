from collections import Counter


class StopLog:
    """Remembers where the doors opened."""

    def __init__(self):
        self._stops = []

    def record(self, car, floor):
        self._stops.append((car.name, floor))

    def stops(self, name=None):
        return [floor for car, floor in self._stops if name is None or car == name]

    def busiest(self):
        """Floor with the most stops, or None."""
        counts = Counter(self.stops())
        if not counts:
            return None
        return min(counts, key=lambda floor: (-counts[floor], floor))
