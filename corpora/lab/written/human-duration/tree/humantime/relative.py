"""Points in time as seen from now."""

from datetime import date, datetime, timedelta

from .duration import format_duration


def ago(then: datetime, now: datetime) -> str:
    """"3m ago", "in 2h" or "just now" (less than five seconds away)."""
    diff = (now - then).total_seconds()
    if abs(diff) < 5:
        return "just now"
    text = format_duration(abs(diff), parts=1)
    return f"{text} ago" if diff > 0 else f"in {text}"


def day_label(day: date, today: date) -> str:
    if day == today:
        return "today"
    if day == today - timedelta(days=1):
        return "yesterday"
    if day == today + timedelta(days=1):
        return "tomorrow"
    if 0 < (today - day).days < 7:
        return "last " + day.strftime("%A")
    return day.isoformat()


class Stopwatch:
    """Adds up laps. The source of time is passed in, so that it can be tested."""

    def __init__(self, time_source):
        self._time = time_source
        self._started = None
        self.laps = []

    def start(self):
        if self._started is not None:
            raise RuntimeError("already running")
        self._started = self._time()

    def stop(self):
        if self._started is None:
            raise RuntimeError("not running")
        self.laps.append(self._time() - self._started)
        self._started = None

    def total(self):
        return sum(self.laps)

    def report(self):
        """One line per lap and the total."""
        lines = [f"lap {i}: {format_duration(lap)}" for i, lap in enumerate(self.laps, 1)]
        lines.append(f"total: {format_duration(self.total())}")
        return "\n".join(lines)
