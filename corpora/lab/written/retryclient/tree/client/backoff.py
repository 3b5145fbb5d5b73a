class Backoff:
    """Waiting times that double: base, 2*base, 4*base, ... up to limit."""

    def __init__(self, base=1.0, factor=2.0, limit=60.0):
        self.base = base
        self.factor = factor
        self.limit = limit

    def delay(self, attempt):
        """Seconds to wait after the given failed attempt (from 1)."""
        if attempt < 1:
            raise ValueError("attempts count from 1")
        return min(self.limit, self.base * self.factor ** (attempt - 1))
