from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """One marked piece of work."""
    name: str
    points: float
    out_of: float
    excused: bool = False

    @property
    def percent(self):
        return 100.0 * self.points / self.out_of


@dataclass(frozen=True)
class Category:
    name: str
    weight: float
    drop_lowest: int = 0
