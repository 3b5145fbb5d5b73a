"""A group of friends and what they owe each other."""

from dataclasses import dataclass

from expenses.split import split_by_weight, split_evenly


@dataclass(frozen=True)
class Payment:
    debtor: str
    creditor: str
    cents: int


class Group:
    def __init__(self, *members: str):
        if len(set(members)) != len(members):
            raise ValueError("names must differ")
        self.members = list(members)
        self.balances = {member: 0 for member in members}

    def add(self, payer: str, cents: int, *, among=None, weights=None) -> None:
        """Note an expense: evenly among all or some members, or by weights."""
        if weights:
            shares = split_by_weight(cents, weights)
        else:
            shares = split_evenly(cents, list(among or self.members))
        unknown = (set(shares) | {payer}) - set(self.members)
        if unknown:
            raise KeyError(", ".join(sorted(unknown)))
        self.balances[payer] += cents
        for person, share in shares.items():
            self.balances[person] -= share

    def settle(self) -> list[Payment]:
        """Payments that bring all the balances to zero."""
        debts = {p: -b for p, b in self.balances.items() if b < 0}
        credits = {p: b for p, b in self.balances.items() if b > 0}
        payments = []
        while debts and credits:
            debtor = max(debts, key=debts.get)
            creditor = max(credits, key=credits.get)
            cents = min(debts[debtor], credits[creditor])
            payments.append(Payment(debtor, creditor, cents))
            for book, person in ((debts, debtor), (credits, creditor)):
                book[person] -= cents
                if not book[person]:
                    del book[person]
        return payments
