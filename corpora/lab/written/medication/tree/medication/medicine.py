"""What a medicine is and how often it may be taken."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Medicine:
    name: str
    mg: int
    hours_between: float
    max_per_day: int

    def __post_init__(self):
        if self.max_per_day < 1:
            raise ValueError("max_per_day must be at least 1")
        if self.hours_between < 0:
            raise ValueError("hours_between cannot be negative")


class Cabinet:
    """Medicines and how many pills of each are left."""

    def __init__(self):
        self._medicines = {}
        self._pills = {}

    def add(self, medicine, pills):
        key = medicine.name.lower()
        self._medicines[key] = medicine
        self._pills[key] = self._pills.get(key, 0) + pills

    def get(self, name):
        return self._medicines[name.lower()]

    def left(self, name):
        return self._pills.get(name.lower(), 0)

    def take(self, name):
        key = name.lower()
        if self._pills.get(key, 0) < 1:
            raise LookupError(f"no {name} left")
        self._pills[key] -= 1

    def to_buy(self, below=5):
        return sorted(
            self._medicines[key].name for key, n in self._pills.items() if n < below
        )
