import unittest
from datetime import date, time

from timesheet.entries import Entry, parse_entry, parse_sheet


class EntryTest(unittest.TestCase):
    def test_minutes(self):
        entry = Entry(date(2024, 3, 4), time(9), time(17, 30), 30)
        self.assertEqual(entry.minutes, 480)

    def test_over_midnight(self):
        self.assertEqual(Entry(date(2024, 3, 4), time(22), time(6)).minutes, 480)

    def test_break_too_long(self):
        with self.assertRaises(ValueError):
            Entry(date(2024, 3, 4), time(9), time(10), 90).minutes

    def test_parse(self):
        self.assertEqual(
            parse_entry("2024-03-04 9:00-17:30 30"),
            Entry(date(2024, 3, 4), time(9), time(17, 30), 30),
        )

    def test_parse_garbage(self):
        with self.assertRaises(ValueError):
            parse_entry("yesterday")

    def test_sheet_skips_comments(self):
        sheet = parse_sheet("# march\n\n2024-03-04 9-10\n2024-03-05 9-11\n")
        self.assertEqual([e.minutes for e in sheet], [60, 120])
