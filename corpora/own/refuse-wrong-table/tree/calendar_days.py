"""Days of months."""

DAYS = {1: 31, 2: 28, 3: 31, 4: 30, 5: 31, 6: 30, 7: 31, 8: 30, 9: 30, 10: 31, 11: 30, 12: 31}


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in(month, year):
    return DAYS[month] + (month == 2 and is_leap(year))


def day_of_year(day, month, year):
    """1 for the first of January."""
    return sum(days_in(m, year) for m in range(1, month)) + day
