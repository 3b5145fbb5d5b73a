"""Rolling figures."""

from collections import deque


class Window:
    """The last ``size`` numbers."""

    def __init__(self, size):
        if size < 1:
            raise ValueError("a window holds at least one number")
        self._numbers = deque(maxlen=size)

    def add(self, number):
        self._numbers.append(number)
        return self

    @property
    def full(self):
        return len(self._numbers) == self._numbers.maxlen

    @staticmethod
    def mean(numbers):
        """The arithmetic mean; 0.0 of no numbers."""
        numbers = list(numbers)
        return sum(numbers) / len(numbers) if numbers else 0.0

    def average(self):
        return self.mean(self._numbers)

    def spread(self):
        """Mean distance from the average."""
        centre = self.average()
        return self.mean(abs(number - centre) for number in self._numbers)


def smooth(numbers, size):
    """Each number replaced by the average of the window that ends with it."""
    window = Window(size)
    return [window.add(number).average() for number in numbers]
