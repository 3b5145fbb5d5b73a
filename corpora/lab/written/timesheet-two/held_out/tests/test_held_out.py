from datetime import date

import pytest

from timesheet.entries import parse_sheet
from timesheet.totals import overtime_minutes, week_report, weekly_minutes


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", {}),
        ("2024-03-04 8-12", {date(2024, 3, 4): 240}),
        ("2024-03-10 8-12", {date(2024, 3, 4): 240}),
        ("2024-03-09 8-9\n2024-03-10 8-10", {date(2024, 3, 4): 180}),
        (
            "2024-03-10 8-12\n2024-03-11 8-9",
            {date(2024, 3, 4): 240, date(2024, 3, 11): 60},
        ),
        ("2024-12-31 8-12\n2025-01-02 8-9", {date(2024, 12, 30): 300}),
        ("2025-12-29 8-12\n2026-01-04 8-9", {date(2025, 12, 29): 300}),
        ("2022-12-31 8-9\n2023-01-01 8-10", {date(2022, 12, 26): 180}),
        (
            "2023-01-01 8-9\n2023-01-02 8-10",
            {date(2022, 12, 26): 60, date(2023, 1, 2): 120},
        ),
        (
            "2024-01-02 8-9\n2024-12-31 8-10",
            {date(2024, 1, 1): 60, date(2024, 12, 30): 120},
        ),
        (
            "2023-03-08 8-9\n2024-03-06 8-10",
            {date(2023, 3, 6): 60, date(2024, 3, 4): 120},
        ),
        (
            "2021-01-01 8-9\n2021-12-31 8-10",
            {date(2020, 12, 28): 60, date(2021, 12, 27): 120},
        ),
        (
            "2021-03-10 8-9\n2022-03-09 8-10\n2023-03-08 8-11",
            {date(2021, 3, 8): 60, date(2022, 3, 7): 120, date(2023, 3, 6): 180},
        ),
    ],
)
def test_weekly(text, expected):
    assert weekly_minutes(parse_sheet(text)) == expected


def test_order_of_time():
    sheet = parse_sheet("2024-03-12 8-9\n2023-05-02 8-9\n2024-03-05 8-9")
    assert list(weekly_minutes(sheet)) == [
        date(2023, 5, 1),
        date(2024, 3, 4),
        date(2024, 3, 11),
    ]


def test_unsorted_entries_of_one_week():
    sheet = parse_sheet("2024-03-08 8-9\n2024-03-12 8-9\n2024-03-05 8-9")
    assert weekly_minutes(sheet) == {date(2024, 3, 4): 120, date(2024, 3, 11): 60}


def test_report_in_order():
    sheet = parse_sheet("2024-03-12 8-9\n2024-03-05 8-9")
    assert week_report(sheet) == ["2024-03-04 1:00", "2024-03-11 1:00"]


def test_overtime_of_new_year_week():
    sheet = parse_sheet("2024-12-30 6-20\n2024-12-31 6-20\n2025-01-02 6-20\n2025-01-03 6-8")
    assert overtime_minutes(sheet) == 4 * 60


def test_overtime_years_apart():
    sheet = parse_sheet("2023-03-08 6-16\n2024-03-06 6-16")
    assert overtime_minutes(sheet, weekly=12 * 60) == 0


def test_entries_are_left_alone():
    sheet = parse_sheet("2024-03-12 8-9\n2024-03-05 8-9")
    before = list(sheet)
    weekly_minutes(sheet)
    assert sheet == before
