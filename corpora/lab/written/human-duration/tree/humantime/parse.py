"""The other direction: text to seconds."""

import re

from .duration import UNITS

_PIECE = re.compile(r"(\d+(?:\.\d+)?)\s*([wdhms])", re.IGNORECASE)
_SIZES = dict(UNITS)


class DurationError(ValueError):
    """The text is not a duration."""


def parse_duration(text):
    """Seconds for a text such as ``"1h 30m"`` or ``"-90s"``.

    A bare number is taken as seconds. Raises DurationError for anything else.
    """
    stripped = text.strip()
    negative = stripped.startswith("-")
    if negative:
        stripped = stripped[1:].strip()
    if not stripped:
        raise DurationError(f"empty duration: {text!r}")
    if re.fullmatch(r"\d+(\.\d+)?", stripped):
        total = float(stripped)
    else:
        left_over = _PIECE.sub("", stripped).strip()
        if left_over:
            raise DurationError(f"cannot read {left_over!r} in {text!r}")
        total = sum(
            float(number) * _SIZES[unit.lower()]
            for number, unit in _PIECE.findall(stripped)
        )
    return -total if negative else total
