"""How single values are shown."""
import datetime


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def format_cell(value, decimals=2):
    if value is None:
        return ""
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, float):
        return f"{value:,.{decimals}f}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, datetime.date):
        return value.isoformat()
    return str(value)
