"""Durations for people."""

UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


def plural(count, word):
    return f"{count} {word}s" if count > 2 else f"{count} {word}"


def parts(seconds):
    """(count, unit) of each unit that is needed."""
    found = []
    for word, size in UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            found.append((count, word))
    return found


def duration(seconds, most=2):
    """The ``most`` largest units: 3 hours and 5 minutes."""
    if seconds < 0:
        return "minus " + duration(-seconds, most)
    shown = [plural(count, word) for count, word in parts(seconds)[:most]]
    if not shown:
        return "no time"
    *head, last = shown
    return f"{', '.join(head)} and {last}" if head else last
