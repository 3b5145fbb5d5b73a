"""Lines of an access log."""

import re

LINE = re.compile(r'(?P<host>\S+) \[(?P<time>[^\]]+)\] "(?P<method>[A-Z]+) (?P<path>\S+)" (?P<status>\d{3})')


def parse(line):
    """The fields of one line as a dict; None for a line of another form."""
    found = LINE.match(line)
    fields = found.groupdict()
    fields["status"] = int(fields["status"])
    return fields


def failures(lines):
    """(path, status) of each request that failed, unknown lines left out."""
    parsed = (parse(line) for line in lines)
    return [(each["path"], each["status"]) for each in parsed if each and each["status"] >= 400]


def hosts(lines):
    """Distinct hosts in the order of their first request."""
    return list(dict.fromkeys(each["host"] for each in map(parse, lines) if each))
