"""Small date helpers."""
import calendar
from datetime import date, timedelta


def days_in_month(year, month):
    return calendar.monthrange(year, month)[1]


def shift_month(year, month, count):
    """Return (year, month) moved by count months."""
    index = year * 12 + (month - 1) + count
    return index // 12, index % 12 + 1


def start_of_week(day):
    """Monday of the week that holds day."""
    return day - timedelta(days=day.weekday())


def parse_day(text):
    year, month, day = text.split("-")
    return date(int(year), int(month), int(day))
