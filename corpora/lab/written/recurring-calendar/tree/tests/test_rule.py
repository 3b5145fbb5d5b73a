from datetime import date
from itertools import islice

import pytest

from agenda import Freq, Rule, add_months


def test_daily():
    rule = Rule(Freq.DAILY, interval=2, count=3)
    assert list(rule.dates(date(2024, 2, 27))) == [
        date(2024, 2, 27), date(2024, 2, 29), date(2024, 3, 2),
    ]


def test_weekly_until_is_inclusive():
    rule = Rule(Freq.WEEKLY, until=date(2024, 1, 15))
    assert [d.day for d in rule.dates(date(2024, 1, 1))] == [1, 8, 15]


def test_monthly():
    days = list(islice(Rule(Freq.MONTHLY).dates(date(2023, 11, 15)), 3))
    assert days == [date(2023, 11, 15), date(2023, 12, 15), date(2024, 1, 15)]


def test_monthly_on_the_31st():
    rule = Rule(Freq.MONTHLY, count=5)
    assert [(d.month, d.day) for d in rule.dates(date(2023, 1, 31))] == [
        (1, 31), (2, 28), (3, 31), (4, 30), (5, 31),
    ]


def test_yearly():
    days = list(Rule(Freq.YEARLY, count=2).dates(date(2024, 7, 4)))
    assert days == [date(2024, 7, 4), date(2025, 7, 4)]


def test_add_months():
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)
    assert add_months(date(2024, 11, 30), 3) == date(2025, 2, 28)


def test_parse():
    rule = Rule.parse("FREQ=MONTHLY;INTERVAL=2;UNTIL=20241231")
    assert rule == Rule(Freq.MONTHLY, interval=2, until=date(2024, 12, 31))


@pytest.mark.parametrize("text", ["COUNT=3", "FREQ=DAILY;BYDAY=MO", "DAILY"])
def test_parse_rubbish(text):
    with pytest.raises(ValueError):
        Rule.parse(text)
