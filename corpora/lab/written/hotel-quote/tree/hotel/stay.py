from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True)
class Stay:
    arrival: date
    departure: date
    guests: int = 1

    def __post_init__(self):
        if self.departure <= self.arrival:
            raise ValueError("departure must be after arrival")
        if self.guests < 1:
            raise ValueError("at least one guest")

    @property
    def nights(self):
        return (self.departure - self.arrival).days

    def dates(self):
        """The dates of the nights; that of departure is not one."""
        return [self.arrival + timedelta(days=n) for n in range(self.nights)]
