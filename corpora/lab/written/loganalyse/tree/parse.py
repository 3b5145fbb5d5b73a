import re
from datetime import datetime
from typing import NamedTuple

LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (DEBUG|INFO|WARN|ERROR) (\S+): (.*)")


class Entry(NamedTuple):
    time: datetime
    level: str
    source: str
    message: str


def parse_line(line):
    match = LINE.fullmatch(line.rstrip())
    if match is None:
        return None
    return Entry(datetime.strptime(match[1], "%Y-%m-%d %H:%M:%S"), *match.groups()[1:])


def parse_lines(lines):
    """Entries of a log; lines that do not parse continue the message before."""
    entries = []
    for line in lines:
        entry = parse_line(line)
        if entry is not None:
            entries.append(entry)
        elif entries and line.strip():
            last = entries[-1]
            entries[-1] = last._replace(message=last.message + "\n" + line.rstrip())
    return entries
