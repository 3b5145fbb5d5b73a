from dataclasses import dataclass, field
from datetime import date


@dataclass
class Entry:
    """One line of an account's history. Amounts are in cents."""

    day: date
    amount: int
    kind: str
    other: str = ""


@dataclass
class Account:
    number: str
    owner: str
    balance: int = 0
    overdraft: int = 0
    daily_limit: int | None = None
    history: list[Entry] = field(default_factory=list)

    @property
    def available(self) -> int:
        """What can be taken out, the agreed overdraft included."""
        return self.balance + self.overdraft

    def record(self, day: date, amount: int, kind: str, other: str = "") -> None:
        self.balance += amount
        self.history.append(Entry(day, amount, kind, other))

    def sent_on(self, day: date) -> int:
        """Total of the outgoing transfers of one day, as a positive number.

        Deposits, cash withdrawals, fees and incoming transfers do not count.
        """
        total = 0
        for entry in self.history:
            if entry.day == day and entry.kind == "transfer":
                total -= entry.amount
        return total

    def statement(self, day: date) -> list[str]:
        lines = []
        for entry in self.history:
            if entry.day == day:
                lines.append(f"{entry.day.isoformat()} {entry.kind:<10} {entry.amount / 100:>10.2f} {entry.other}".rstrip())
        return lines
