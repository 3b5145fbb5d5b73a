from collections import Counter
from decimal import Decimal

from bank.statement import read_statement


def new_transactions(existing, incoming):
    """The transactions of `incoming` that are not in `existing` yet, in order.

    Statements overlap, so much of a new one may be known already.  But two
    coffees on one day look alike and are both real: each transaction in
    `existing` accounts for one alike in `incoming`, the others are new.
    """
    known = Counter(tx.key() for tx in existing)
    fresh = []
    for tx in incoming:
        key = tx.key()
        if known[key]:
            known[key] -= 1
        else:
            fresh.append(tx)
    return fresh


class Ledger:
    def __init__(self):
        self.transactions = []

    def import_text(self, source):
        """Add what is new in a statement; returns how many that were."""
        fresh = new_transactions(self.transactions, read_statement(source))
        self.transactions.extend(fresh)
        self.transactions.sort(key=lambda tx: tx.day)
        return len(fresh)

    def balance(self, until=None):
        return sum(
            (tx.amount for tx in self.transactions if until is None or tx.day <= until),
            Decimal(0),
        )

    def by_month(self):
        """Totals by 'YYYY-MM'."""
        totals = {}
        for tx in self.transactions:
            month = tx.day.strftime("%Y-%m")
            totals[month] = totals.get(month, Decimal(0)) + tx.amount
        return totals

    def payees(self, top=3):
        """The names met most often, with how often."""
        return Counter(tx.text for tx in self.transactions).most_common(top)
