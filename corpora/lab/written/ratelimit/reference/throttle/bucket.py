from .clock import monotonic


class TokenBucket:
    """Allows bursts of ``capacity`` and ``rate`` calls a second on average.

    >>> bucket = TokenBucket(rate=1, capacity=2, clock=lambda: 0.0)
    >>> bucket.allow(), bucket.allow(), bucket.allow()
    (True, True, False)
    """

    def __init__(self, rate: float, capacity: float, clock=monotonic):
        if rate <= 0 or capacity <= 0:
            raise ValueError("rate and capacity must be positive")
        self.rate = rate
        self.capacity = capacity
        self.clock = clock
        self.level = capacity
        self.updated = clock()

    def refill(self) -> None:
        """Add the tokens earned since the last refill."""
        now = self.clock()
        elapsed = now - self.updated
        if elapsed <= 0:
            return
        self.level = min(self.capacity, self.level + elapsed * self.rate)
        self.updated = now

    def allow(self, cost: float = 1) -> bool:
        """Take cost tokens if they are there."""
        self.refill()
        if self.level < cost:
            return False
        self.level -= cost
        return True

    def wait_time(self, cost: float = 1) -> float:
        """Seconds until cost tokens would be there."""
        if cost > self.capacity:
            raise ValueError("cost is more than the bucket holds")
        self.refill()
        missing = cost - self.level
        return max(0.0, missing / self.rate)
