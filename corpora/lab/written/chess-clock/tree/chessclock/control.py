"""Time controls: how much time the players get and how it grows."""
import re
from dataclasses import dataclass, field
from enum import Enum


class Mode(Enum):
    FISCHER = "+"     # the full increment after every move
    BRONSTEIN = "b"   # the time used comes back, at most the increment
    DELAY = "d"       # the first seconds of a move are free


_PATTERN = re.compile(r"^(\d+(?:\.\d+)?)(?:([+bd])(\d+))?$")


@dataclass
class TimeControl:
    """``base`` and ``increment`` are in seconds.

    ``stages`` maps a number of moves to the seconds a player gets for having
    completed that many moves, e.g. ``{40: 1800}``.
    """

    base: float
    increment: float = 0.0
    mode: Mode = Mode.FISCHER
    stages: dict = field(default_factory=dict)

    @classmethod
    def parse(cls, text, stages=None):
        """Parse "5", "5+3", "25d10" or "15b5": minutes, mode, seconds."""
        match = _PATTERN.match(text.strip())
        if match is None:
            raise ValueError(f"not a time control: {text!r}")
        minutes, mode, seconds = match.groups()
        return cls(
            base=float(minutes) * 60,
            increment=float(seconds or 0),
            mode=Mode(mode) if mode else Mode.FISCHER,
            stages=dict(stages or {}),
        )

    def cost(self, elapsed):
        """Seconds to charge for a move that took ``elapsed`` seconds."""
        if self.mode is Mode.DELAY:
            return max(0.0, elapsed - self.increment)
        return elapsed

    def bonus(self, elapsed):
        """Seconds given back after a move that took ``elapsed`` seconds."""
        if self.mode is Mode.FISCHER:
            return self.increment
        if self.mode is Mode.BRONSTEIN:
            return min(elapsed, self.increment)
        return 0.0

    def stage_bonus(self, moves):
        return self.stages.get(moves, 0.0)
