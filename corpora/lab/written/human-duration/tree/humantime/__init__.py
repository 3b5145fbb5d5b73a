"""Small helpers to show and read durations the way people write them."""

from .duration import clock, format_duration, split_duration
from .parse import DurationError, parse_duration
from .relative import ago, day_label

__all__ = [
    "DurationError",
    "ago",
    "clock",
    "day_label",
    "format_duration",
    "parse_duration",
    "split_duration",
]
