"""Channels of a mixer."""


class Channel:
    """One channel. ``level`` is a percentage, ``muted`` keeps it."""

    def __init__(self, name, level=50):
        self.name = name
        self.muted = False
        self.level = level

    @property
    def level(self):
        return 0 if self.muted else self._level

    @level.setter
    def level(self, value):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"level of {self.name} is no number: {value!r}")
        if value < 0 and value > 100:
            raise ValueError(f"level of {self.name} is not within 0 and 100: {value}")
        self._level = value

    def fade(self, step):
        """Turn down (or, with a negative step, up) as far as it goes."""
        self.level = min(100, max(0, self._level - step))

    def toggle(self):
        self.muted = not self.muted
        return self.muted
