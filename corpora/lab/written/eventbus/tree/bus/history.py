"""Keeps the last events of a bus."""
from collections import Counter, deque


class History:
    def __init__(self, bus, pattern="*", size=100):
        self.events = deque(maxlen=size)
        self.subscription = bus.on(pattern, self.events.append, priority=1000)

    def names(self):
        return [event.name for event in self.events]

    def counts(self):
        return dict(Counter(self.names()))

    def close(self):
        self.subscription.cancel()
