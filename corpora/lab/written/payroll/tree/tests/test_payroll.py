import unittest
from decimal import Decimal as D

from payroll.money import money, show
from payroll.slip import year_slip
from payroll.tax import effective_rate, income_tax, marginal_rate
from payroll.wages import Employee, week_wage, year_wage


class MoneyTest(unittest.TestCase):
    def test_half_up(self):
        self.assertEqual(money("1.005"), D("1.01"))

    def test_show(self):
        self.assertEqual(show(1234567), "1,234,567.00")


class TaxTest(unittest.TestCase):
    def test_free(self):
        self.assertEqual(income_tax(9000), 0)

    def test_second_band(self):
        self.assertEqual(income_tax(20000), D(2000))

    def test_high_income(self):
        self.assertEqual(income_tax(80000), D(24500))

    def test_marginal(self):
        self.assertEqual(marginal_rate(10000), D("0.20"))
        self.assertEqual(marginal_rate(500000), D("0.45"))

    def test_effective(self):
        self.assertEqual(effective_rate(20000), D("0.1"))
        self.assertEqual(effective_rate(0), 0)


class WageTest(unittest.TestCase):
    def setUp(self):
        self.ann = Employee("Ann", D(10))

    def test_week(self):
        self.assertEqual(week_wage(self.ann, 38), D(380))

    def test_overtime(self):
        self.assertEqual(week_wage(self.ann, 42), D(430))

    def test_negative(self):
        with self.assertRaises(ValueError):
            week_wage(self.ann, -1)

    def test_year(self):
        self.assertEqual(year_wage(self.ann, [40] * 52), D(20800))

    def test_slip(self):
        slip = year_slip(self.ann, [40] * 50)
        self.assertEqual((slip.pension, slip.tax, slip.net), (D(1000), D(1800), D(17200)))
        self.assertIn("17,200.00", slip.text())
