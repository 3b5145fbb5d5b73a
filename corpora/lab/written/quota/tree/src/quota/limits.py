from dataclasses import dataclass


@dataclass(frozen=True)
class Limit:
    """``count`` requests in any ``seconds`` seconds."""
    count: int
    seconds: float

    def __post_init__(self):
        if self.count < 1 or self.seconds <= 0:
            raise ValueError("count and seconds must be positive")


UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}


def parse_limit(text):
    """Parse '5/second', '100/hour', '10 / 15 minutes'."""
    try:
        count, period = text.split("/")
        words = period.split()
        number = 1
        if len(words) == 2:
            number = int(words.pop(0))
        (unit,) = words
        return Limit(int(count), number * UNITS[unit.lower().rstrip("s")])
    except (ValueError, KeyError):
        raise ValueError(f"bad limit: {text!r}") from None
