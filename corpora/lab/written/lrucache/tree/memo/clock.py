import time


class ManualClock:
    """A clock for tests: stands still until told."""

    def __init__(self, now: float = 0.0):
        self.now = now

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


system_clock = time.monotonic
