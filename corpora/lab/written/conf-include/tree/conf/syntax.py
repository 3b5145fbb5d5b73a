"""Line syntax:

    # comment
    key = value
    key = "value with # and spaces "
    [section]
    include other.conf          the file must exist
    include? local.conf         left out when there is no such file
"""
import re
from typing import NamedTuple

from .errors import SyntaxProblem

_KEY = re.compile(r"([A-Za-z_][\w.-]*)\s*=\s*(.*)$")
_SECTION = re.compile(r"\[\s*([\w.-]+)\s*\]$")
_INCLUDE = re.compile(r"include(\?)?\s+(.+)$")


class Setting(NamedTuple):
    key: str
    value: object


class Section(NamedTuple):
    name: str


class Include(NamedTuple):
    target: str
    optional: bool


def convert(text):
    """Guess the type of a value: quoted string, bool, int, or plain text."""
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return text[1:-1]
    lowered = text.lower()
    if lowered in ("yes", "true", "on"):
        return True
    if lowered in ("no", "false", "off"):
        return False
    try:
        return int(text)
    except ValueError:
        return text


def strip_comment(line):
    quoted = False
    for pos, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == "#" and not quoted:
            return line[:pos].strip()
    return line.strip()


def statements(text):
    """Yield one statement per non-empty line."""
    for lineno, raw in enumerate(text.splitlines(), 1):
        line = strip_comment(raw)
        if not line:
            continue
        if m := _SECTION.match(line):
            yield Section(m[1])
        elif m := _KEY.match(line):
            yield Setting(m[1], convert(m[2]))
        elif m := _INCLUDE.match(line):
            yield Include(m[2].strip('"'), bool(m[1]))
        else:
            raise SyntaxProblem(lineno, f"cannot understand {line!r}")
