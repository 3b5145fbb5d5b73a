from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    """Exponential waiting time between the tries of a job."""

    base: float = 10.0
    factor: float = 2.0
    limit: float = 600.0

    def delay(self, attempt):
        """Seconds to wait after the given attempt (1 = the first try) failed."""
        if attempt < 1:
            raise ValueError("attempts are counted from 1")
        return min(self.base * self.factor ** (attempt - 1), self.limit)
