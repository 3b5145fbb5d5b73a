import itertools
from dataclasses import dataclass, field

_numbers = itertools.count()


@dataclass(order=True)
class Entry:
    """Ordered by time, then urgency, then age."""

    when: float
    priority: int
    number: int = field(default_factory=lambda: next(_numbers))
    name: str = field(default="", compare=False)
    cancelled: bool = field(default=False, compare=False)
