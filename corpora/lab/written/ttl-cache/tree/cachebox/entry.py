import math
from dataclasses import dataclass
from typing import Any


@dataclass
class Entry:
    value: Any
    expires: float = math.inf

    def expired(self, now):
        """An entry is good for its ttl; at the very end it is expired."""
        return now >= self.expires


@dataclass
class Stats:
    hits: int = 0
    misses: int = 0
    evictions: int = 0

    @property
    def ratio(self):
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0
