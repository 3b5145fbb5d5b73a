"""Parses lines such as

    2024-03-01T10:00:05 ann GET /index 200 0.12
"""
from datetime import datetime
from typing import Iterable, Iterator, NamedTuple


class Entry(NamedTuple):
    time: datetime
    user: str
    method: str
    path: str
    status: int
    seconds: float


def parse_line(line: str) -> Entry:
    parts = line.split()
    if len(parts) != 6:
        raise ValueError(f"bad line: {line!r}")
    time, user, method, path, status, seconds = parts
    return Entry(datetime.fromisoformat(time), user, method, path, int(status), float(seconds))


def parse(lines: Iterable[str]) -> Iterator[Entry]:
    """Entries of all good lines; blank and broken ones are left out."""
    for line in lines:
        if not line.strip():
            continue
        try:
            yield parse_line(line)
        except ValueError:
            continue
