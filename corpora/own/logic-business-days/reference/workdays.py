"""Counting working days."""

from datetime import date, timedelta


def is_workday(day, holidays=frozenset()):
    """Monday to Friday, holidays apart."""
    return day.weekday() < 5 and day not in holidays


def workdays(first, last, holidays=frozenset()):
    """How many working days there are from ``first`` to ``last``, both included."""
    if last < first:
        return 0
    span = (last - first).days + 1
    return sum(is_workday(first + timedelta(days=n), holidays) for n in range(span))


def add_workdays(day, count, holidays=frozenset()):
    """The day that comes so many working days after the given one."""
    while count > 0:
        day += timedelta(days=1)
        if is_workday(day, holidays):
            count -= 1
    return day


def easter_monday(year):
    """Anonymous Gregorian computus, one day on."""
    a, b, c = year % 19, *divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1) + timedelta(days=1)
