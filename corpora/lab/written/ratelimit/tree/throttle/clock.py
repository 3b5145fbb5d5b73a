import time

monotonic = time.monotonic


class ManualClock:
    """A clock for tests and simulations."""

    def __init__(self, now: float = 0.0):
        self.now = now

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds
