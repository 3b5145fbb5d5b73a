"""Reading log files, plain or gzipped."""

import gzip
from pathlib import Path


def open_log(path):
    path = Path(path)
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", errors="replace")
    return open(path, encoding="utf-8", errors="replace")


def read_lines(paths):
    """All lines of the files, one after the other."""
    for path in paths:
        with open_log(path) as handle:
            yield from handle


def rotated(path):
    """The file and its rotated siblings, oldest first.

    app.log.2.gz, app.log.1, app.log
    """
    path = Path(path)
    found = []
    for sibling in path.parent.glob(path.name + ".*"):
        number = sibling.name[len(path.name) + 1:].removesuffix(".gz")
        if number.isdigit():
            found.append((int(number), sibling))
    result = [p for _, p in sorted(found, reverse=True)]
    if path.exists():
        result.append(path)
    return result
