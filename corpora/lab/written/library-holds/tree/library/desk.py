from datetime import timedelta

from .fines import fine_for
from .models import Copy, Loan, Member, Receipt, Status

LOAN_DAYS = 21
PICKUP_DAYS = 7
MAX_RENEWALS = 2


class DeskError(Exception):
    pass


class Desk:
    """The lending desk: loans, returns, holds."""

    def __init__(self):
        self.members = {}
        self.copies = {}
        self.loans = {}     # barcode -> Loan
        self.queues = {}    # title -> member ids, first come first served

    def add_member(self, id, name=""):
        self.members[id] = Member(id, name)
        return self.members[id]

    def add_copy(self, barcode, title):
        self.copies[barcode] = Copy(barcode, title)
        return self.copies[barcode]

    def lend(self, barcode, member_id, today):
        copy = self.copies[barcode]
        member = self.members[member_id]
        if member.blocked:
            raise DeskError(f"{member_id} has to pay first")
        if copy.status is Status.ON_LOAN:
            raise DeskError(f"{barcode} is on loan")
        if copy.status is Status.ON_HOLD_SHELF and copy.held_for != member_id:
            raise DeskError(f"{barcode} is kept for somebody else")
        copy.status = Status.ON_LOAN
        copy.held_for = copy.pickup_by = None
        loan = Loan(barcode, member_id, today + timedelta(days=LOAN_DAYS))
        self.loans[barcode] = loan
        return loan

    def place_hold(self, title, member_id):
        """Get in line for a title. Returns the place in the queue, from 1."""
        queue = self.queues.setdefault(title, [])
        if member_id in queue:
            raise DeskError(f"{member_id} waits for {title!r} already")
        queue.append(member_id)
        return len(queue)

    def renew(self, barcode, today):
        loan = self.loans[barcode]
        if loan.renewals >= MAX_RENEWALS:
            raise DeskError("renewed too often")
        if self.queues.get(self.copies[barcode].title):
            raise DeskError("somebody waits for this title")
        loan.renewals += 1
        loan.due = max(loan.due, today) + timedelta(days=LOAN_DAYS)
        return loan.due

    def return_copy(self, barcode, today):
        """Take a copy back and hand out a receipt.

        A late return is charged to the borrower.  Then the copy is put on
        the hold shelf (PICKUP_DAYS to pick it up) for the member who has
        waited longest, and that member leaves the queue.  Members who are
        blocked when the copy comes in are passed over, but they keep their
        place in the queue for the next copy.  If there is nobody to keep it
        for, the copy becomes available.
        """
        loan = self.loans.pop(barcode, None)
        if loan is None:
            raise DeskError(f"{barcode} is not on loan")
        copy = self.copies[barcode]
        fine = fine_for(loan.due, today)
        self.members[loan.member].debt += fine
        queue = self.queues.get(copy.title, [])
        if queue and not self.members[queue[0]].blocked:
            copy.held_for = queue.pop(0)
            copy.status = Status.ON_HOLD_SHELF
            copy.pickup_by = today + timedelta(days=PICKUP_DAYS)
        else:
            copy.status = Status.AVAILABLE
        return Receipt(barcode, fine, copy.held_for)

    def pay(self, member_id, cents):
        member = self.members[member_id]
        if cents <= 0 or cents > member.debt:
            raise DeskError("wrong amount")
        member.debt -= cents
        return member.debt
