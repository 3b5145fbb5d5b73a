from .db import connect
from .errors import AccountClosed, LedgerError, LimitExceeded, UnknownAccount


class Ledger:
    """Accounts and transfers between them. All amounts are in cents."""

    def __init__(self, path=":memory:"):
        self.db = connect(path)

    def open_account(self, name, overdraft=0):
        if overdraft < 0:
            raise ValueError("overdraft must not be negative")
        with self.db:
            self.db.execute("INSERT INTO accounts (name, overdraft) VALUES (?, ?)", (name, overdraft))

    def close_account(self, name):
        if self.balance(name) != 0:
            raise LedgerError(f"{name} is not empty")
        with self.db:
            self.db.execute("UPDATE accounts SET closed = 1 WHERE name = ?", (name,))

    def _account(self, name):
        row = self.db.execute("SELECT * FROM accounts WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise UnknownAccount(name)
        return row

    def balance(self, name):
        self._account(name)
        row = self.db.execute(
            "SELECT COALESCE(SUM(cents), 0) FROM entries WHERE account = ?", (name,)).fetchone()
        return row[0]

    def statement(self, name):
        """The bookings of an account as (ref, cents), oldest first."""
        self._account(name)
        rows = self.db.execute(
            "SELECT ref, cents FROM entries JOIN transfers ON transfers.id = transfer"
            " WHERE account = ? ORDER BY entries.id", (name,))
        return [(r["ref"], r["cents"]) for r in rows]

    def _post(self, transfer_id, name, cents):
        """Book `cents` (negative: a debit) if the account allows it."""
        account = self._account(name)
        if account["closed"]:
            raise AccountClosed(name)
        if cents < 0 and self.balance(name) + cents < -account["overdraft"]:
            raise LimitExceeded(name)
        self.db.execute(
            "INSERT INTO entries (transfer, account, cents) VALUES (?, ?, ?)",
            (transfer_id, name, cents))

    def transfer(self, source, target, cents, ref):
        """Move money and return the id of the transfer.

        All or nothing: a transfer that is refused (LedgerError) leaves no
        trace in the books, and the same ref can be used for another try.
        Sending a ref that has been carried out is harmless: the money is not
        moved again, the id of the first transfer is returned.
        When the method returns, the transfer is committed.
        """
        if cents <= 0:
            raise ValueError("amount must be positive")
        if source == target:
            raise ValueError("source and target are the same account")
        done = self.db.execute("SELECT id FROM transfers WHERE ref = ?", (ref,)).fetchone()
        if done is not None:
            return done["id"]
        with self.db:
            cur = self.db.execute("INSERT INTO transfers (ref) VALUES (?)", (ref,))
            self._post(cur.lastrowid, source, -cents)
            self._post(cur.lastrowid, target, cents)
        return cur.lastrowid

    def run_batch(self, orders):
        """Carry out (source, target, cents, ref) orders one by one.

        An order that is refused does not stop the others.
        Returns {ref: name of the error} of the refused ones.
        """
        refused = {}
        for source, target, cents, ref in orders:
            try:
                self.transfer(source, target, cents, ref)
            except LedgerError as exc:
                refused[ref] = type(exc).__name__
        return refused

    def total(self):
        """Sum over all accounts; 0 if the books are in order."""
        return self.db.execute("SELECT COALESCE(SUM(cents), 0) FROM entries").fetchone()[0]

    def close(self):
        self.db.close()
