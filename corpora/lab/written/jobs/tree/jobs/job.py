from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Job:
    name: str
    func: Callable[[], None]
    every: int
    next_run: int = 0
    failures: int = 0      # in a row
    enabled: bool = True
    last_error: str | None = None
    history: list = field(default_factory=list)

    def __post_init__(self):
        if self.every <= 0:
            raise ValueError("every must be positive")

    def is_due(self, now):
        return self.enabled and self.next_run <= now
