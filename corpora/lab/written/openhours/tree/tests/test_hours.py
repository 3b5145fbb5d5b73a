import unittest
from datetime import date, datetime, time

from hours import OpeningHours, hours_between, parse_days, parse_spans
from signs import door_sign, status

# 2024-06-03 is a Monday


class ParseTest(unittest.TestCase):
    def test_spans(self):
        self.assertEqual(
            parse_spans("13:00-18:00, 9:00-12:30"),
            [(time(9), time(12, 30)), (time(13), time(18))],
        )
        self.assertEqual(parse_spans("Closed"), [])

    def test_bad_spans(self):
        for text in ("9-12", "12:00-9:00", "9:00-9:00"):
            with self.assertRaises(ValueError):
                parse_spans(text)

    def test_days(self):
        self.assertEqual(parse_days("mon-wed"), [0, 1, 2])
        self.assertEqual(parse_days("sat-mon, wed"), [5, 6, 0, 2])
        with self.assertRaises(ValueError):
            parse_days("monday")


class HoursTest(unittest.TestCase):
    def setUp(self):
        self.shop = OpeningHours({
            "mon-fri": "9:00-12:00, 13:00-18:00",
            "sat": "10:00-14:00",
        })

    def test_is_open(self):
        self.assertTrue(self.shop.is_open(datetime(2024, 6, 3, 9)))
        self.assertFalse(self.shop.is_open(datetime(2024, 6, 3, 12)))
        self.assertFalse(self.shop.is_open(datetime(2024, 6, 9, 12)))

    def test_next_opening(self):
        self.assertEqual(
            self.shop.next_opening(datetime(2024, 6, 8, 15)), datetime(2024, 6, 10, 9)
        )
        now = datetime(2024, 6, 3, 10)
        self.assertEqual(self.shop.next_opening(now), now)

    def test_never_opens(self):
        self.assertIsNone(OpeningHours({}).next_opening(datetime(2024, 6, 3)))

    def test_special_hours(self):
        self.shop.add_exception(date(2024, 6, 9), "10:00-16:00")
        self.assertTrue(self.shop.is_open(datetime(2024, 6, 9, 12)))

    def test_shorter_day(self):
        self.shop.add_exception(date(2024, 6, 4), "9:00-11:00")
        self.assertFalse(self.shop.is_open(datetime(2024, 6, 4, 14)))

    def test_holiday(self):
        self.shop.add_exception(date(2024, 6, 4))
        self.assertFalse(self.shop.is_open(datetime(2024, 6, 4, 10)))

    def test_next_opening_after_a_holiday(self):
        self.shop.add_exception(date(2024, 6, 4))
        self.assertEqual(
            self.shop.next_opening(datetime(2024, 6, 3, 19)), datetime(2024, 6, 5, 9)
        )

    def test_hours_between(self):
        self.assertEqual(hours_between(self.shop, date(2024, 6, 3), date(2024, 6, 9)), 44)


class SignTest(unittest.TestCase):
    def test_door_sign(self):
        shop = OpeningHours({"mon-fri": "9:00-18:00", "sat": "10:00-14:00"})
        self.assertEqual(
            door_sign(shop),
            "Mon-Fri: 09:00-18:00\nSat: 10:00-14:00\nSun: closed",
        )

    def test_status(self):
        shop = OpeningHours({"mon": "9:00-18:00"})
        self.assertEqual(status(shop, datetime(2024, 6, 3, 10)), "open until 18:00")
        self.assertEqual(status(shop, datetime(2024, 6, 3, 18)), "opens Mon 09:00")


if __name__ == "__main__":
    unittest.main()
