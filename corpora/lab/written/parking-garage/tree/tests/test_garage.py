import unittest
from datetime import datetime, timedelta
from decimal import Decimal

from garage.desk import Desk, GarageFull
from garage.fees import discounted, parking_fee, vat_share

START = datetime(2022, 3, 1, 8, 0)


class FeeTest(unittest.TestCase):
    def test_grace_is_free(self):
        self.assertEqual(parking_fee(5), 0)

    def test_short_stay(self):
        self.assertEqual(parking_fee(30), Decimal("2.50"))

    def test_one_hour(self):
        self.assertEqual(parking_fee(60), Decimal("2.50"))

    def test_daily_max(self):
        self.assertEqual(parking_fee(20 * 60 + 5), Decimal("18.00"))

    def test_discount(self):
        self.assertEqual(discounted(Decimal("2.50"), 50), Decimal("1.25"))

    def test_vat(self):
        self.assertEqual(vat_share(Decimal("11.90")), Decimal("1.90"))


class DeskTest(unittest.TestCase):
    def test_leave(self):
        desk = Desk(10)
        ticket = desk.enter("B-AB 123", START)
        fee = desk.leave(ticket, START + timedelta(minutes=45))
        self.assertGreater(fee, 0)
        self.assertEqual(desk.takings(), fee)

    def test_full(self):
        desk = Desk(1)
        desk.enter("B-AB 123", START)
        with self.assertRaises(GarageFull):
            desk.enter("B-XY 9", START)

    def test_left_twice(self):
        desk = Desk(1)
        ticket = desk.enter("B-AB 123", START)
        desk.leave(ticket, START)
        with self.assertRaises(KeyError):
            desk.leave(ticket, START)
