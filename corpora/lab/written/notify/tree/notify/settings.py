from dataclasses import dataclass, field
from datetime import time


@dataclass
class QuietHours:
    """A daily span without notifications; it may go over midnight."""
    start: time
    end: time

    def covers(self, moment):
        """Is the time of day in the quiet hours? (start in, end out)"""
        return self.start <= moment < self.end


@dataclass
class Settings:
    name: str
    keywords: set = field(default_factory=set)
    muted: set = field(default_factory=set)
    quiet: QuietHours = None
    level: str = "mentions"  # all, mentions, none

    def __post_init__(self):
        if self.level not in ("all", "mentions", "none"):
            raise ValueError("unknown level %r" % self.level)
