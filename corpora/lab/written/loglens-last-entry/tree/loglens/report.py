"""Numbers about log entries."""

from collections import Counter

from .entries import at_least, group_entries
from .reader import read_lines


def count_levels(entries):
    return Counter(e.level for e in entries)


def top_sources(entries, n=3):
    return Counter(e.source for e in entries).most_common(n)


def exceptions(entries):
    """How often which exception was logged."""
    names = (e.exception for e in entries)
    return Counter(name for name in names if name)


def first_problem(lines):
    """The first entry that is an error, or None. Reads no further than needed."""
    for entry in at_least(group_entries(lines), "ERROR"):
        return entry
    return None


def follow(lines, callback, level="WARNING"):
    """Call back for each problem in a running stream, return their number."""
    number = 0
    for entry in at_least(group_entries(lines), level):
        callback(f"{entry.time:%H:%M:%S} {entry.source}: {entry.text}")
        number += 1
    return number


def summary(paths):
    """Short text about the files for the morning mail."""
    entries = list(group_entries(read_lines(paths)))
    if not entries:
        return "no entries"
    parts = [f"{len(entries)} entries"]
    for level, number in sorted(count_levels(entries).items()):
        parts.append(f"{level}: {number}")
    return ", ".join(parts)
