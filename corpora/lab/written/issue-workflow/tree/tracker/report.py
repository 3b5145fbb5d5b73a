"""Numbers for the weekly meeting."""
from collections import Counter

DAY = 24 * 3600


def count_by_state(tracker):
    return Counter(issue.state for issue in tracker.issues())


def unfinished(tracker):
    """Titles of the issues that are not done yet, oldest first."""
    waiting = [i for i in tracker.issues() if i.done_at is None]
    return [i.title for i in sorted(waiting, key=lambda i: (i.created_at, i.id))]


def average_days(tracker):
    """Mean time from creation to done in days; None if nothing is done."""
    times = [i.done_at - i.created_at for i in tracker.issues() if i.done_at is not None]
    return sum(times) / len(times) / DAY if times else None


def resolutions(tracker):
    return Counter(i.resolution for i in tracker.issues() if i.resolution)
