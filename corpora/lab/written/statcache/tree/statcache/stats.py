from dataclasses import dataclass


@dataclass
class Stats:
    hits: int = 0
    misses: int = 0
    evicted: int = 0
    expired: int = 0

    @property
    def hit_rate(self) -> float:
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0

    def clear(self) -> None:
        self.hits = self.misses = self.evicted = self.expired = 0
