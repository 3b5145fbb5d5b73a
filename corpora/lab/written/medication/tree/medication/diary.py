"""Diary of doses that were taken."""

from datetime import timedelta

DAY = timedelta(hours=24)


class Diary:
    def __init__(self, medicine):
        self.medicine = medicine
        self.taken = []

    @property
    def last(self):
        return max(self.taken, default=None)

    def record(self, when):
        """Note a dose; doses may be noted later and in any order."""
        self.taken.append(when)
        self.taken.sort()

    def total_mg(self, day):
        """Milligrams taken on a calendar day."""
        return self.medicine.mg * sum(1 for t in self.taken if t.date() == day)

    def may_take(self, now):
        """True if a dose is allowed now.

        The last dose must be at least hours_between hours ago, and fewer
        than max_per_day doses may lie within the 24 hours before now. A
        dose exactly 24 hours ago no longer counts.
        """
        if self.last is None:
            return True
        if now - self.last < timedelta(hours=self.medicine.hours_between):
            return False
        recent = [t for t in self.taken if t.date() == now.date()]
        return len(recent) < self.medicine.max_per_day

    def missed(self, times, day):
        """Times of the day with no dose within an hour of them."""
        doses = [t for t in self.taken if t.date() == day]
        return [
            moment
            for moment in times
            if not any(
                abs((t.hour - moment.hour) * 60 + t.minute - moment.minute) <= 60
                for t in doses
            )
        ]
