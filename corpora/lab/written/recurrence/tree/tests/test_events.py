from datetime import date

from agenda import Daily, Event, Monthly
from agenda.events import agenda


def test_single_event():
    event = Event("dentist", date(2023, 4, 4))
    assert event.days_between(date(2023, 4, 1), date(2023, 4, 30)) == [date(2023, 4, 4)]
    assert event.days_between(date(2023, 5, 1), date(2023, 5, 30)) == []


def test_until_and_skip():
    event = Event("run", date(2023, 1, 1), Daily(), until=date(2023, 1, 4),
                  skip=[date(2023, 1, 2)])
    days = event.days_between(date(2023, 1, 1), date(2023, 1, 31))
    assert [day.day for day in days] == [1, 3, 4]


def test_rent_in_summer():
    rent = Event("rent", date(2023, 5, 30), Monthly())
    assert rent.days_between(date(2023, 7, 1), date(2023, 7, 31)) == [date(2023, 7, 30)]


def test_agenda_is_sorted():
    rows = agenda([
        Event("b", date(2023, 1, 2)),
        Event("a", date(2023, 1, 1), Daily()),
    ], date(2023, 1, 1), date(2023, 1, 2))
    assert rows == [(date(2023, 1, 1), "a"), (date(2023, 1, 2), "a"), (date(2023, 1, 2), "b")]
