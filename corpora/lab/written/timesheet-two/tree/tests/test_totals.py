import unittest
from datetime import date

from timesheet.entries import parse_sheet
from timesheet.totals import (
    daily_minutes,
    format_minutes,
    overtime_minutes,
    pay,
    week_report,
    weekly_minutes,
)

MARCH = parse_sheet(
    """
    2024-03-04 8:00-18:00 30
    2024-03-05 8:00-18:00 30
    2024-03-06 8:00-18:00 30
    2024-03-07 8:00-18:00 30
    2024-03-08 8:00-13:00
    2024-03-11 8:00-16:30 30
    """
)


class TotalsTest(unittest.TestCase):
    def test_daily(self):
        sheet = parse_sheet("2024-03-04 8-12\n2024-03-04 13-15")
        self.assertEqual(daily_minutes(sheet), {date(2024, 3, 4): 360})

    def test_weekly(self):
        self.assertEqual(
            weekly_minutes(MARCH), {date(2024, 3, 4): 2580, date(2024, 3, 11): 480}
        )

    def test_midweek_start(self):
        sheet = parse_sheet("2024-03-06 8-12\n2024-03-07 8-12")
        self.assertEqual(weekly_minutes(sheet), {date(2024, 3, 4): 480})

    def test_no_entries(self):
        self.assertEqual(weekly_minutes([]), {})

    def test_overtime(self):
        self.assertEqual(overtime_minutes(MARCH), 180)

    def test_overtime_is_not_carried_over_the_years(self):
        sheet = parse_sheet("2022-03-09 6-20\n2023-01-11 6-16\n2023-03-08 6-20")
        self.assertEqual(overtime_minutes(sheet, weekly=15 * 60), 0)

    def test_same_week_of_two_years(self):
        sheet = parse_sheet("2023-03-08 8-12\n2023-06-07 8-9\n2024-03-06 8-10")
        self.assertEqual(
            weekly_minutes(sheet),
            {date(2023, 3, 6): 240, date(2023, 6, 5): 60, date(2024, 3, 4): 120},
        )

    def test_pay(self):
        self.assertEqual(pay(MARCH, 20), 1050.0)

    def test_report(self):
        self.assertEqual(week_report(MARCH), ["2024-03-04 43:00 +3:00", "2024-03-11 8:00"])

    def test_format(self):
        self.assertEqual(format_minutes(-65), "-1:05")
