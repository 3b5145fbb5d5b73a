from dataclasses import dataclass, field
from datetime import date

FRIDAY, SATURDAY = 4, 5


@dataclass
class Season:
    start: date
    end: date  # last night included
    factor: int  # per cent of the normal rate


@dataclass
class Rates:
    weekday: int
    weekend: int
    extra_guest: int = 0
    city_tax: int = 0
    seasons: list = field(default_factory=list)

    def night(self, day, guests=1):
        """Rate of one night; guests after the second pay a supplement."""
        rate = self.weekend if day.weekday() in (FRIDAY, SATURDAY) else self.weekday
        for season in self.seasons:
            if season.start <= day <= season.end:
                rate = percent(rate, season.factor)
                break
        return rate + self.extra_guest * max(0, guests - 2)


def percent(amount, rate):
    """So many per cent of an amount, rounded half up."""
    return (amount * rate + 50) // 100
