from timesheet.overtime import split_week
from timesheet.punches import read_week


def pay_cents(regular: int, overtime: int, rate: int, factor: float = 1.5) -> int:
    """Pay in cents for the minutes at an hourly rate in cents."""
    return round(regular * rate / 60 + overtime * rate * factor / 60)


def hours(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}"


def slip(name: str, text: str, rate: int, holidays=()) -> str:
    regular, overtime = split_week(read_week(text), frozenset(holidays))
    total = pay_cents(regular, overtime, rate)
    return (
        f"{name}: {hours(regular)} regular, {hours(overtime)} overtime, "
        f"{total // 100}.{total % 100:02d}"
    )
