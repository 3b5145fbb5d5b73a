"""Formatting of durations given in seconds."""

# biggest first, the formatter depends on it
UNITS = (
    ("w", 604800),
    ("d", 86400),
    ("h", 3600),
    ("m", 60),
    ("s", 1),
)

LONG_NAMES = {"w": "week", "d": "day", "h": "hour", "m": "minute", "s": "second"}


def format_duration(seconds, parts=2, sep=" "):
    """Return a short text such as ``"2h 5m"``.

    ``seconds`` may be an int or a float, it is shown to the nearest whole
    second. Units that are zero are left out, and of the others the ``parts``
    biggest are shown; what lies below them is cut off. Negative durations
    start with a minus sign. A duration of nothing is ``"0s"``, never
    ``"-0s"``.
    """
    sign = "-" if seconds < 0 else ""
    rest = abs(seconds)
    pieces = []
    for suffix, size in UNITS:
        count = int(rest // size)
        rest -= count * size
        if suffix == "s":
            count += round(rest)
        if count:
            pieces.append(f"{count}{suffix}")
    if not pieces:
        return "0s"
    return sign + sep.join(pieces[:parts])


def split_duration(seconds):
    """Split whole seconds into a dict of unit -> count (zero units included)."""
    rest = abs(int(seconds))
    counts = {}
    for suffix, size in UNITS:
        counts[suffix], rest = divmod(rest, size)
    return counts


def clock(seconds):
    """``H:MM:SS`` as on a stop watch, whole seconds."""
    minutes, secs = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{secs:02d}"


def spell_out(seconds):
    """Long form, "1 hour 5 minutes"."""
    words = []
    for suffix, count in split_duration(seconds).items():
        if count:
            name = LONG_NAMES[suffix]
            words.append(f"{count} {name}" + ("" if count == 1 else "s"))
    return " ".join(words) or "0 seconds"
