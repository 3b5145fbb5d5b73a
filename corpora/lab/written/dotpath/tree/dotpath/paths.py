"""Paths: text on the outside, tuples of str (key) and int (index) on the inside."""
import re

_step = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


class PathError(LookupError):
    """The path is malformed, or does not fit the data."""


def split(path):
    """
    >>> split("users[0].name")
    ('users', 0, 'name')
    """
    steps = []
    pos = 0
    while pos < len(path):
        match = _step.match(path, pos)
        if match is None or (pos == 0 and path[0] == "."):
            raise PathError(f"bad path {path!r} at {pos}")
        key, index = match.groups()
        if key is not None and pos > 0 and path[pos] != ".":
            raise PathError(f"bad path {path!r} at {pos}")
        steps.append(int(index) if key is None else key)
        pos = match.end()
    return tuple(steps)


def join(steps):
    """The inverse of split()."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text
