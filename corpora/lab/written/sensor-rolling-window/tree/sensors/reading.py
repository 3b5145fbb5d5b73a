from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Reading:
    time: float     # seconds
    value: float


def parse_line(line):
    """'kitchen 12.5 21.3' -> ('kitchen', Reading(12.5, 21.3)); None for comments and blanks."""
    line = line.split("#", 1)[0].strip()
    if not line:
        return None
    name, time, value = line.split()
    return name, Reading(float(time), float(value))
