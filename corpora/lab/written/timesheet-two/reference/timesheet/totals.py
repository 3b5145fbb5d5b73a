"""Weekly totals, overtime and pay."""

from collections import defaultdict
from datetime import timedelta

WEEKLY_MINUTES = 40 * 60


def daily_minutes(entries):
    """Minutes worked per day."""
    days = defaultdict(int)
    for entry in entries:
        days[entry.day] += entry.minutes
    return dict(days)


def weekly_minutes(entries):
    """Minutes worked per week, in the order of time.

    Weeks run from Monday to Sunday. The keys are the Mondays.
    """
    groups = defaultdict(list)
    for entry in sorted(entries, key=lambda e: e.day):
        groups[entry.day.isocalendar()[:2]].append(entry)
    weeks = {}
    for group in groups.values():
        first = group[0].day
        monday = first - timedelta(days=first.weekday())
        weeks[monday] = sum(entry.minutes for entry in group)
    return weeks


def overtime_minutes(entries, weekly=WEEKLY_MINUTES):
    """Minutes above the weekly limit, summed over the weeks."""
    return sum(
        max(0, minutes - weekly) for minutes in weekly_minutes(entries).values()
    )


def pay(entries, hourly, factor=1.5, weekly=WEEKLY_MINUTES):
    """Gross pay, overtime paid with the factor, rounded to cents."""
    total = sum(entry.minutes for entry in entries)
    extra = overtime_minutes(entries, weekly)
    return round((total - extra + extra * factor) * hourly / 60, 2)


def format_minutes(minutes):
    sign = "-" if minutes < 0 else ""
    hours, rest = divmod(abs(minutes), 60)
    return f"{sign}{hours}:{rest:02d}"


def week_report(entries, weekly=WEEKLY_MINUTES):
    """Lines such as '2024-03-04 42:30 +2:30'."""
    lines = []
    for monday, minutes in weekly_minutes(entries).items():
        line = f"{monday} {format_minutes(minutes)}"
        if minutes > weekly:
            line += f" +{format_minutes(minutes - weekly)}"
        lines.append(line)
    return lines
