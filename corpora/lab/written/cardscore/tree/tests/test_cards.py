import unittest

from cards import deck, parse_card
from scoring import hand_value, is_blackjack, is_bust, outcome
from table import Table, dealer_draws


class CardsTest(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(parse_card("10H"), ("10", "H"))

    def test_parse_bad(self):
        for text in ("", "H", "1H", "AX", "10"):
            with self.assertRaises(ValueError):
                parse_card(text)

    def test_deck(self):
        self.assertEqual(len(set(deck())), 52)


class ScoringTest(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(hand_value(["2H", "10S", "KD"]), 22)

    def test_ace_high(self):
        self.assertEqual(hand_value(["AH", "7S"]), 18)

    def test_ace_low(self):
        self.assertEqual(hand_value(["AH", "7S", "9D"]), 17)

    def test_two_aces(self):
        self.assertEqual(hand_value(["AH", "AS"]), 12)

    def test_three_aces(self):
        self.assertEqual(hand_value(["AH", "AS", "AD"]), 13)

    def test_blackjack(self):
        self.assertTrue(is_blackjack(["AH", "QS"]))
        self.assertFalse(is_blackjack(["7H", "7S", "7D"]))

    def test_bust(self):
        self.assertTrue(is_bust(["KH", "QS", "2D"]))
        self.assertFalse(is_bust(["KH", "QS", "AD"]))

    def test_outcome(self):
        self.assertEqual(outcome(["KH", "9S"], ["KD", "8S"]), "win")
        self.assertEqual(outcome(["KH", "9S"], ["KD", "9C"]), "push")
        self.assertEqual(outcome(["7H", "7S", "7D"], ["AD", "KS"]), "lose")


class TableTest(unittest.TestCase):
    def test_settle(self):
        table = Table(["ann", "bob", "cid"])
        hands = {"ann": ["AH", "KH"], "bob": ["KS", "QS"], "cid": ["9S", "8S"]}
        results = table.settle({"ann": 10, "bob": 20, "cid": 30}, hands, ["10D", "8D"])
        self.assertEqual(results, {"ann": "win", "bob": "win", "cid": "lose"})
        self.assertEqual(table.chips, {"ann": 115, "bob": 120, "cid": 70})
        self.assertEqual(table.ranking(), ["bob", "ann", "cid"])

    def test_bad_bet(self):
        with self.assertRaises(ValueError):
            Table(["ann"]).settle({"ann": 101}, {"ann": ["AH", "KH"]}, ["2D", "3D"])

    def test_dealer(self):
        self.assertTrue(dealer_draws(["10D", "6D"]))
        self.assertFalse(dealer_draws(["AD", "6D"]))
