import enum
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable, Optional


class State(enum.Enum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    DEAD = "dead"


class FatalError(Exception):
    """Raised by a job that knows that trying again makes no sense."""


@dataclass
class Job:
    name: str
    func: Callable[..., Awaitable[Any]]
    args: tuple = ()
    due: float = 0.0
    interval: Optional[float] = None    # None: a one-off job
    max_attempts: int = 3               # tries per run, the first one included
    attempts: int = 0                   # tries used in the current run
    state: State = State.WAITING
    last_error: Optional[str] = None
    result: Any = None
    history: list = field(default_factory=list)

    @property
    def periodic(self):
        return self.interval is not None
