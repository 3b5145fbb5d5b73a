import unittest

from expenses.group import Group, Payment
from expenses.money import format_amount, parse_amount
from expenses.split import split_by_weight, split_evenly


class MoneyTest(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(parse_amount("12.5"), 1250)
        self.assertEqual(parse_amount("-0,07"), -7)

    def test_too_precise(self):
        with self.assertRaises(ValueError):
            parse_amount("1.234")

    def test_format(self):
        self.assertEqual(format_amount(-1205), "-12.05")


class SplitTest(unittest.TestCase):
    def test_even(self):
        self.assertEqual(split_evenly(900, ["ann", "bob", "cid"]),
                         {"ann": 300, "bob": 300, "cid": 300})

    def test_cent_left_over(self):
        self.assertEqual(split_evenly(1000, ["ann", "bob", "cid"]),
                         {"ann": 334, "bob": 333, "cid": 333})

    def test_by_weight(self):
        self.assertEqual(split_by_weight(1000, {"ann": 1, "bob": 2}),
                         {"ann": 333, "bob": 667})

    def test_weights_of_zero(self):
        with self.assertRaises(ValueError):
            split_by_weight(100, {"ann": 0})


class GroupTest(unittest.TestCase):
    def test_balances(self):
        group = Group("ann", "bob")
        group.add("ann", 1000)
        group.add("bob", 400)
        self.assertEqual(group.balances, {"ann": 300, "bob": -300})

    def test_among_some(self):
        group = Group("ann", "bob", "cid")
        group.add("ann", 1000, among=["bob", "cid"])
        self.assertEqual(group.balances, {"ann": 1000, "bob": -500, "cid": -500})

    def test_unknown_member(self):
        with self.assertRaises(KeyError):
            Group("ann").add("zoe", 100)

    def test_settle(self):
        group = Group("ann", "bob", "cid")
        group.add("ann", 900)
        self.assertEqual(
            group.settle(),
            [Payment("bob", "ann", 300), Payment("cid", "ann", 300)],
        )

    def test_same_name_twice(self):
        with self.assertRaises(ValueError):
            Group("ann", "ann")
