from collections import deque

from .clock import monotonic


class SlidingWindow:
    """At most limit calls in any period of the given length."""

    def __init__(self, limit, period, clock=monotonic):
        self.limit = limit
        self.period = period
        self.clock = clock
        self.calls = deque()

    def allow(self):
        now = self.clock()
        while self.calls and self.calls[0] <= now - self.period:
            self.calls.popleft()
        if len(self.calls) >= self.limit:
            return False
        self.calls.append(now)
        return True

    def remaining(self):
        now = self.clock()
        used = sum(1 for t in self.calls if t > now - self.period)
        return self.limit - used
