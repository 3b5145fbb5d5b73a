import unittest

from bank.errors import AccountFrozen, BankError, InsufficientFunds, UnknownAccount
from bank.ledger import Entry, Ledger


class LedgerTest(unittest.TestCase):
    def setUp(self):
        self.bank = Ledger()
        self.bank.open("A", "ann")
        self.bank.open("B", "bob", overdraft=500)
        self.bank.deposit("A", 1000)

    def test_open_twice(self):
        with self.assertRaises(BankError):
            self.bank.open("A", "again")

    def test_deposit_and_withdraw(self):
        self.bank.withdraw("A", 300)
        self.assertEqual(self.bank.balance("A"), 700)
        self.assertEqual(self.bank.statement("A"), ["+1000 deposit", "-300 withdraw"])

    def test_overdraft(self):
        self.bank.withdraw("B", 500)
        with self.assertRaises(InsufficientFunds):
            self.bank.withdraw("B", 1)

    def test_amounts_must_be_positive(self):
        for cents in (0, -5):
            with self.assertRaises(BankError):
                self.bank.deposit("A", cents)

    def test_frozen(self):
        self.bank.account("A").frozen = True
        with self.assertRaises(AccountFrozen):
            self.bank.withdraw("A", 1)


class TransferTest(unittest.TestCase):
    def setUp(self):
        self.bank = Ledger()
        self.bank.open("A", "ann")
        self.bank.open("B", "bob")
        self.bank.deposit("A", 1000)
        self.before = list(self.bank.journal)

    def assert_untouched(self):
        self.assertEqual(self.bank.balance("A"), 1000)
        self.assertEqual(self.bank.balance("B"), 0)
        self.assertEqual(self.bank.journal, self.before)

    def test_moves_money(self):
        self.bank.transfer("A", "B", 400)
        self.assertEqual(self.bank.balance("A"), 600)
        self.assertEqual(self.bank.balance("B"), 400)
        self.assertEqual(self.bank.journal[-1], Entry("transfer", 400, "A", "B"))

    def test_fee(self):
        self.bank.transfer("A", "B", 400, fee=25)
        self.assertEqual(self.bank.balance("A"), 575)
        self.assertEqual(self.bank.balance("B"), 400)
        self.assertEqual(self.bank.fees_collected, 25)
        self.assertEqual(self.bank.total(), 1000)

    def test_all_of_it(self):
        self.bank.transfer("A", "B", 990, fee=10)
        self.assertEqual(self.bank.balance("A"), 0)

    def test_fee_counts_for_funds(self):
        with self.assertRaises(InsufficientFunds):
            self.bank.transfer("A", "B", 1000, fee=1)
        self.assert_untouched()
        self.assertEqual(self.bank.fees_collected, 0)

    def test_same_account(self):
        with self.assertRaises(BankError):
            self.bank.transfer("A", "A", 10)
        self.assert_untouched()

    def test_unknown_source(self):
        with self.assertRaises(UnknownAccount):
            self.bank.transfer("X", "B", 10)
        self.assert_untouched()

    def test_unknown_target(self):
        with self.assertRaises(UnknownAccount):
            self.bank.transfer("A", "X", 10)
        self.assert_untouched()

    def test_frozen_target(self):
        self.bank.account("B").frozen = True
        with self.assertRaises(AccountFrozen):
            self.bank.transfer("A", "B", 10)
        self.assert_untouched()

    def test_frozen_source(self):
        self.bank.account("A").frozen = True
        with self.assertRaises(AccountFrozen):
            self.bank.transfer("A", "B", 10)
        self.assert_untouched()

    def test_negative_amount(self):
        with self.assertRaises(BankError):
            self.bank.transfer("A", "B", -10)
        self.assert_untouched()


if __name__ == "__main__":
    unittest.main()
