import unittest

from bank import Account, OverdraftError


class TransferTest(unittest.TestCase):
    def setUp(self):
        self.ann = Account("ann", 1000)
        self.bob = Account("bob", 50)

    def test_money_moves(self):
        self.ann.transfer(self.bob, 300)
        self.assertEqual((self.ann.balance, self.bob.balance), (700, 350))

    def test_history_is_kept(self):
        self.ann.transfer(self.bob, 10)
        self.assertEqual(self.ann.history, [("out", 10)])
        self.assertEqual(self.bob.history, [("in", 10)])

    def test_overdraft_is_refused(self):
        with self.assertRaises(OverdraftError):
            self.bob.transfer(self.ann, 51)

    def test_refused_transfer_moves_nothing(self):
        with self.assertRaises(OverdraftError):
            self.bob.transfer(self.ann, 51)
        self.assertEqual((self.ann.balance, self.bob.balance), (1000, 50))

    def test_refused_transfer_leaves_no_history(self):
        with self.assertRaises(OverdraftError):
            self.bob.transfer(self.ann, 60)
        self.assertEqual(self.ann.history, [])

    def test_not_to_oneself(self):
        with self.assertRaises(ValueError):
            self.ann.transfer(self.ann, 1)

    def test_withdraw_everything(self):
        self.bob.withdraw(50)
        self.assertEqual(self.bob.balance, 0)
