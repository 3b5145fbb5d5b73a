from collections import Counter
from datetime import timedelta

LEVELS = ["DEBUG", "INFO", "WARN", "ERROR"]


def at_least(entries, level):
    lowest = LEVELS.index(level)
    return [e for e in entries if LEVELS.index(e.level) >= lowest]


def count_by(entries, field):
    """Pairs (value, count), the most frequent first, then by value."""
    counts = Counter(getattr(e, field) for e in entries)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def bursts(entries, gap=60, size=3):
    """Find bursts of entries.

    Entries (in order of time) belong to the same burst as long as each comes
    at most ``gap`` seconds after the one before it. Bursts of less than
    ``size`` entries are left out. Returns a list of lists.
    """
    found = []
    current = []
    for entry in entries:
        if current and entry.time - current[0].time > timedelta(seconds=gap):
            if len(current) >= size:
                found.append(current)
            current = []
        current.append(entry)
    return found


def quiet(entries, seconds):
    """(start, end) of the times without entries longer than ``seconds``."""
    spans = []
    for a, b in zip(entries, entries[1:]):
        if (b.time - a.time).total_seconds() > seconds:
            spans.append((a.time, b.time))
    return spans
