from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    """How often and how long to wait between attempts.

    attempts: calls in all, the first one included.
    base:     seconds before the second attempt; each wait after it is
              ``factor`` times the one before.
    cap:      no wait is longer than this.
    budget:   the waits together never exceed this (None: no limit).
    """

    attempts: int = 3
    base: float = 1.0
    factor: float = 2.0
    cap: float = 60.0
    budget: float | None = None

    def __post_init__(self):
        if self.attempts < 1:
            raise ValueError("attempts must be at least 1")
        if self.base < 0 or self.factor < 1:
            raise ValueError("base must not be negative and factor at least 1")

    def delays(self) -> list[float]:
        """The waits between the attempts, in order.

        The list ends early when the next wait would exceed the budget.

        >>> Policy(attempts=4, base=1, factor=2).delays()
        [1, 2, 4]
        """
        waits = []
        wait = self.base
        for _ in range(self.attempts - 1):
            wait = min(wait, self.cap)
            if self.budget is not None and sum(waits) + wait > self.budget:
                break
            waits.append(wait)
            wait *= self.factor
        return waits
