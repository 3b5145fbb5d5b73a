from .reading import Reading, parse_line
from .window import RollingWindow


class Station:
    """A set of named sensors with a rolling window each.

    ``alarm(name, mean)`` is called when a mean rises above the limit of its
    sensor, and not again before it has been at or below the limit.
    """

    def __init__(self, span, alarm=None):
        self.span = span
        self.alarm = alarm
        self._windows = {}
        self._limits = {}
        self._alarmed = set()

    def set_limit(self, name, limit):
        self._limits[name] = limit

    def window(self, name):
        if name not in self._windows:
            self._windows[name] = RollingWindow(self.span)
        return self._windows[name]

    def record(self, name, time, value):
        window = self.window(name)
        if window.add(Reading(time, value)):
            self._check(name, window.mean())

    def feed(self, lines):
        """Record all lines of a log, see parse_line."""
        for line in lines:
            parsed = parse_line(line)
            if parsed is not None:
                name, reading = parsed
                self.record(name, reading.time, reading.value)

    def tick(self, now):
        """Expire old readings of all sensors; returns how many have gone."""
        return sum(window.expire(now) for window in self._windows.values())

    def summary(self, now):
        """{name: mean at the time now} of the sensors that have one."""
        means = {name: w.mean(now) for name, w in sorted(self._windows.items())}
        return {name: mean for name, mean in means.items() if mean is not None}

    def _check(self, name, mean):
        limit = self._limits.get(name)
        if limit is None:
            return
        if mean <= limit:
            self._alarmed.discard(name)
        elif name not in self._alarmed:
            self._alarmed.add(name)
            if self.alarm is not None:
                self.alarm(name, mean)
