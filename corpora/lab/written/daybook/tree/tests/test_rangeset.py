import unittest
from datetime import date

from daybook.calendar import Calendar
from daybook.rangeset import DateRangeSet
from daybook.span import Span


class SpanTest(unittest.TestCase):
    def test_parse(self):
        span = Span.parse("2024-02-27..2024-03-01")
        self.assertEqual(len(span), 4)
        self.assertEqual(str(Span.parse("2024-05-05")), "2024-05-05")

    def test_order(self):
        with self.assertRaises(ValueError):
            Span(date(2024, 1, 2), date(2024, 1, 1))

    def test_contains(self):
        span = Span.parse("2024-02-27..2024-03-01")
        self.assertIn(date(2024, 2, 29), span)
        self.assertNotIn(date(2024, 3, 2), span)


class RangeSetTest(unittest.TestCase):
    def check(self, text, expected):
        self.assertEqual(str(DateRangeSet.parse(text)), expected)

    def test_sorted(self):
        self.check("2024-03-05, 2024-03-01", "2024-03-01, 2024-03-05")

    def test_overlap(self):
        self.check("2024-03-01..2024-03-05, 2024-03-04..2024-03-09", "2024-03-01..2024-03-09")

    def test_neighbours(self):
        self.check("2024-03-01..2024-03-05, 2024-03-06", "2024-03-01..2024-03-06")

    def test_gap_of_one_day_stays(self):
        self.check("2024-03-01, 2024-03-03", "2024-03-01, 2024-03-03")

    def test_span_inside_another(self):
        self.check("2024-03-01..2024-03-20, 2024-03-05..2024-03-06", "2024-03-01..2024-03-20")

    def test_same_span_twice(self):
        self.check("2024-03-01..2024-03-02, 2024-03-01..2024-03-02", "2024-03-01..2024-03-02")

    def test_intersection(self):
        a = DateRangeSet.parse("2024-03-01..2024-03-10")
        b = DateRangeSet.parse("2024-02-20..2024-03-02, 2024-03-09..2024-03-15")
        self.assertEqual(str(a.intersection(b)), "2024-03-01..2024-03-02, 2024-03-09..2024-03-10")

    def test_gaps(self):
        a = DateRangeSet.parse("2024-03-03..2024-03-04, 2024-03-08")
        gaps = a.gaps(Span.parse("2024-03-01..2024-03-10"))
        self.assertEqual(
            [str(g) for g in gaps],
            ["2024-03-01..2024-03-02", "2024-03-05..2024-03-07", "2024-03-09..2024-03-10"],
        )


class CalendarTest(unittest.TestCase):
    def test_days_away(self):
        calendar = Calendar()
        calendar.away("kim", "2024-03-01..2024-03-03")
        calendar.away("kim", "2024-03-03..2024-03-04")
        self.assertEqual(calendar.days_away("kim"), 4)
        self.assertEqual(calendar.days_away("lee"), 0)

    def test_meeting_slots(self):
        calendar = Calendar()
        calendar.away("kim", "2024-03-02")
        calendar.away("lee", "2024-03-06..2024-03-07")
        slots = calendar.meeting_slots(Span.parse("2024-03-01..2024-03-08"), 2)
        self.assertEqual([str(s) for s in slots], ["2024-03-03..2024-03-05"])


if __name__ == "__main__":
    unittest.main()
