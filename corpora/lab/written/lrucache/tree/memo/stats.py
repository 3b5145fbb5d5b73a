from dataclasses import dataclass


@dataclass
class Stats:
    hits: int = 0
    misses: int = 0
    evictions: int = 0

    @property
    def ratio(self) -> float:
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0
