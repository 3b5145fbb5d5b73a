"""Rolling window over the readings of one sensor."""
from bisect import insort
from collections import deque


class RollingWindow:
    """Keeps the readings of the last ``span`` seconds.

    A reading belongs to the window at time t if ``t - span < reading.time``;
    one that is exactly ``span`` seconds old has just left it.

    ``on_expire`` is called with every reading that leaves, oldest first.
    ``expired`` counts them.
    """

    def __init__(self, span, on_expire=None):
        if span <= 0:
            raise ValueError("span must be positive")
        self.span = span
        self.on_expire = on_expire
        self.expired = 0
        self._readings = deque()    # sorted by time
        self._total = 0.0
        self._latest = float("-inf")

    def __len__(self):
        return len(self._readings)

    def __iter__(self):
        return iter(self._readings)

    def add(self, reading):
        """Add a reading; a late one is put in its place.

        Returns False if it is too late to belong to the window at all.
        """
        if reading.time <= self._latest - self.span:
            return False
        self._latest = max(self._latest, reading.time)
        insort(self._readings, reading, key=lambda r: r.time)
        self._total += reading.value
        self.expire(self._latest)
        return True

    def expire(self, now):
        """Let go of all readings that have left the window at the time ``now``.

        Returns how many there were.
        """
        limit = now - self.span
        dropped = 0
        if self._readings and self._readings[0].time <= limit:
            old = self._readings.popleft()
            self._total -= old.value
            self.expired += 1
            dropped += 1
            if self.on_expire is not None:
                self.on_expire(old)
        return dropped

    def mean(self, now=None):
        """Average of the window, at ``now`` if given; None if it is empty."""
        if now is not None:
            self.expire(now)
        if not self._readings:
            return None
        return self._total / len(self._readings)

    def extremes(self):
        """(lowest, highest) value, or None if the window is empty."""
        if not self._readings:
            return None
        values = [r.value for r in self._readings]
        return min(values), max(values)
