DAILY = 8 * 60
WEEKLY = 40 * 60


def split_week(week: dict[int, int], holidays: frozenset[int] = frozenset()) -> tuple[int, int]:
    """Split the minutes of a week into (regular, overtime).

    * All that is worked on a holiday is overtime.
    * On other days what goes beyond eight hours is overtime.
    * If the regular minutes that remain come to more than forty hours, the
      rest of them is overtime too. No minute is counted twice.
    """
    regular = 0
    overtime = 0
    for day, minutes in week.items():
        limit = 0 if day in holidays else DAILY
        regular += min(minutes, limit)
        overtime += max(0, minutes - limit)
    excess = max(0, sum(week.values()) - WEEKLY)
    return regular - excess, overtime + excess
