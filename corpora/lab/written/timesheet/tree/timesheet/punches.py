"""Reading a week of punch lines such as 'mon 09:00-17:30 -30'."""

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class PunchError(ValueError):
    pass


def clock(text: str) -> int:
    try:
        hours, minutes = (int(part) for part in text.split(":"))
    except ValueError:
        raise PunchError(f"bad time: {text}") from None
    if not (0 <= hours < 24 and 0 <= minutes < 60):
        raise PunchError(f"bad time: {text}")
    return hours * 60 + minutes


def shift_minutes(span: str, pause: int = 0) -> int:
    """Minutes worked; a shift that ends before it starts runs past midnight."""
    start, sep, end = span.partition("-")
    if not sep:
        raise PunchError(f"bad shift: {span}")
    length = (clock(end) - clock(start)) % (24 * 60)
    if pause > length:
        raise PunchError("the break is longer than the shift")
    return length - pause


def read_week(text: str) -> dict[int, int]:
    """Minutes by day number (0 is Monday). Several shifts a day add up."""
    week: dict[int, int] = {}
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0].lower() not in DAYS:
            raise PunchError(f"bad day: {words[0]}")
        day = DAYS.index(words[0].lower())
        pause = -int(words[2]) if len(words) > 2 else 0
        week[day] = week.get(day, 0) + shift_minutes(words[1], pause)
    return week
