"""Fixed times of the day."""

from datetime import datetime, time, timedelta


def parse_times(text):
    """'8:00, 20:00' -> list of times, sorted."""
    times = []
    for part in text.split(","):
        hour, minute = part.strip().split(":")
        times.append(time(int(hour), int(minute)))
    return sorted(times)


def next_time(times, now):
    """The next moment after now at one of the times of the day."""
    for moment in times:
        candidate = datetime.combine(now.date(), moment)
        if candidate > now:
            return candidate
    return datetime.combine(now.date() + timedelta(days=1), times[0])
