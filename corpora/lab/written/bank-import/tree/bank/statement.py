import csv
import io
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from bank.amounts import parse_amount


@dataclass(frozen=True)
class Transaction:
    day: date
    text: str
    amount: Decimal

    def key(self):
        """What must agree for two transactions to look alike."""
        return (self.day, " ".join(self.text.lower().split()), self.amount)


class StatementError(ValueError):
    pass


def read_statement(source):
    """Read CSV text with the columns Date, Description and Amount.

    Dates are 2024-01-31 or 31.01.2024.  Rows without an amount (headings,
    balances) are left out.
    """
    rows = csv.DictReader(io.StringIO(source))
    missing = {"Date", "Description", "Amount"} - set(rows.fieldnames or ())
    if missing:
        raise StatementError(f"no column {', '.join(sorted(missing))}")
    found = []
    for row in rows:
        if not (row["Amount"] or "").strip():
            continue
        found.append(Transaction(_day(row["Date"]), row["Description"].strip(), parse_amount(row["Amount"])))
    return found


def _day(text):
    for form in ("%Y-%m-%d", "%d.%m.%Y"):
        try:
            return datetime.strptime(text.strip(), form).date()
        except ValueError:
            continue
    raise StatementError(f"not a date: {text!r}")
