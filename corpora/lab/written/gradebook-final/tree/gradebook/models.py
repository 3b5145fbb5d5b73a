from dataclasses import dataclass
from decimal import Decimal
from typing import Optional


@dataclass(frozen=True)
class Category:
    """A kind of work, e.g. homework, with its weight in percent."""

    name: str
    weight: Decimal
    drop_lowest: int = 0


@dataclass(frozen=True)
class Assignment:
    title: str
    category: str
    max_points: Decimal


@dataclass
class Score:
    points: Optional[Decimal]   # None: excused
    late: bool = False

    @property
    def excused(self):
        return self.points is None
