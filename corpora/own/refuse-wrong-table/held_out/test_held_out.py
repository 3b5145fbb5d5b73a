from calendar_days import day_of_year, days_in


def test_whole_years():
    assert sum(days_in(m, 2023) for m in range(1, 13)) == 365
    assert day_of_year(30, 9, 2023) == 273
