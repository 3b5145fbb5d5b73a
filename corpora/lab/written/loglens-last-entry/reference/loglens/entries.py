"""From lines to entries."""

import re
from dataclasses import dataclass, field
from datetime import datetime

LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]

HEADER = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) "
    r"\[(?P<level>[A-Z]+)\] "
    r"(?P<source>[\w.]+): "
    r"(?P<message>.*)"
)


@dataclass
class Entry:
    time: datetime
    level: str
    source: str
    message: str
    extra: list = field(default_factory=list)

    @property
    def text(self):
        return "\n".join([self.message, *self.extra])

    @property
    def exception(self):
        """Name of the exception if the entry carries a traceback."""
        if not any(line.startswith("Traceback") for line in self.extra):
            return None
        return self.extra[-1].split(":")[0].strip()


def parse_header(line):
    """Entry of a header line, or None if the line is no header."""
    match = HEADER.match(line)
    if match is None or match["level"] not in LEVELS:
        return None
    try:
        time = datetime.strptime(match["time"], "%Y-%m-%d %H:%M:%S")
    except ValueError:
        return None
    return Entry(time, match["level"], match["source"], match["message"])


def group_entries(lines):
    """Group raw lines into log entries.

    Lines without a header (tracebacks, wrapped messages) belong to the entry
    before them and go to its `extra`; such lines before the first header are
    skipped. This is a generator so that it can be used on huge files and on
    running streams: an entry comes out complete, as soon as the header of the
    next one has been read.
    """
    current = None
    for line in lines:
        line = line.rstrip("\n")
        entry = parse_header(line)
        if entry is not None:
            if current is not None:
                yield current
            current = entry
        elif current is not None:
            current.extra.append(line)
    if current is not None:
        yield current


def at_least(entries, level):
    """Only entries of this level and above."""
    lowest = LEVELS.index(level)
    return (e for e in entries if LEVELS.index(e.level) >= lowest)


def between(entries, start=None, end=None):
    """Entries with start <= time < end; the entries have to be sorted."""
    for entry in entries:
        if start is not None and entry.time < start:
            continue
        if end is not None and entry.time >= end:
            return
        yield entry
