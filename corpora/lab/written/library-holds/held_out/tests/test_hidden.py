from datetime import date, timedelta

import pytest

from library import Desk, DeskError, Status

DAY = date(2024, 3, 1)


@pytest.fixture
def desk():
    d = Desk()
    for m in ("ann", "bob", "cid", "dee", "eve"):
        d.add_member(m)
    for b in ("001", "002", "003"):
        d.add_copy(b, "Emma")
        d.lend(b, "ann", DAY)
    return d


def queue(desk, *names, blocked=()):
    for n in names:
        desk.place_hold("Emma", n)
    for n in blocked:
        desk.members[n].debt = 1001


def test_blocked_keeps_place(desk):
    queue(desk, "bob", "cid", "dee", blocked=["bob"])
    desk.return_copy("001", DAY)
    assert desk.queues["Emma"] == ["bob", "dee"]


def test_served_member_leaves_queue(desk):
    queue(desk, "bob", "cid")
    desk.return_copy("001", DAY)
    assert desk.queues["Emma"] == ["cid"]


def test_two_blocked_in_front(desk):
    queue(desk, "bob", "cid", "dee", "eve", blocked=["bob", "cid"])
    assert desk.return_copy("001", DAY).held_for == "dee"
    assert desk.queues["Emma"] == ["bob", "cid", "eve"]


def test_blocked_in_the_middle(desk):
    queue(desk, "bob", "cid", "dee", blocked=["cid"])
    assert [desk.return_copy(b, DAY).held_for for b in ("001", "002", "003")] == ["bob", "dee", None]
    assert desk.queues["Emma"] == ["cid"]


def test_all_blocked(desk):
    queue(desk, "bob", "cid", blocked=["bob", "cid"])
    receipt = desk.return_copy("001", DAY)
    assert receipt.held_for is None
    assert desk.copies["001"].status is Status.AVAILABLE
    assert desk.copies["001"].pickup_by is None
    assert desk.queues["Emma"] == ["bob", "cid"]


def test_only_one_and_blocked(desk):
    queue(desk, "bob", blocked=["bob"])
    assert desk.return_copy("001", DAY).held_for is None
    assert desk.queues["Emma"] == ["bob"]


def test_blocked_pays_and_is_first_again(desk):
    queue(desk, "bob", "cid", "dee", blocked=["bob"])
    assert desk.return_copy("001", DAY).held_for == "cid"
    desk.pay("bob", 1001)
    assert desk.return_copy("002", DAY).held_for == "bob"
    assert desk.return_copy("003", DAY).held_for == "dee"


def test_debt_at_limit_is_not_blocked(desk):
    queue(desk, "bob", "cid")
    desk.members["bob"].debt = 1000
    assert desk.return_copy("001", DAY).held_for == "bob"


def test_small_debt_is_not_blocked(desk):
    queue(desk, "bob", "cid")
    desk.members["bob"].debt = 25
    assert desk.return_copy("001", DAY).held_for == "bob"


def test_small_debt_after_blocked(desk):
    queue(desk, "bob", "cid", "dee", blocked=["bob"])
    desk.members["cid"].debt = 100
    assert desk.return_copy("001", DAY).held_for == "cid"


def test_hold_shelf_state_after_passing_over(desk):
    queue(desk, "bob", "cid", blocked=["bob"])
    desk.return_copy("001", DAY)
    copy = desk.copies["001"]
    assert copy.status is Status.ON_HOLD_SHELF
    assert copy.held_for == "cid"
    assert copy.pickup_by == DAY + timedelta(days=7)


def test_only_the_holder_can_borrow_it(desk):
    queue(desk, "bob", "cid", blocked=["bob"])
    desk.return_copy("001", DAY)
    with pytest.raises(DeskError):
        desk.lend("001", "dee", DAY)
    desk.lend("001", "cid", DAY)
    assert desk.copies["001"].held_for is None


def test_fine_of_this_return_blocks_at_once(desk):
    # ann waits for another copy; the fine for this return blocks her
    desk.members["ann"].debt = 900
    queue(desk, "ann", "bob")
    late = DAY + timedelta(days=21 + 10)
    receipt = desk.return_copy("001", late)
    assert receipt.fine == 250
    assert receipt.held_for == "bob"
    assert desk.members["ann"].debt == 1150


def test_borrower_may_be_next(desk):
    queue(desk, "ann", "bob")
    assert desk.return_copy("001", DAY).held_for == "ann"


def test_no_queue(desk):
    receipt = desk.return_copy("001", DAY)
    assert receipt.held_for is None
    assert desk.copies["001"].status is Status.AVAILABLE


def test_debt_of_waiting_members_is_untouched(desk):
    queue(desk, "bob", "cid", blocked=["bob"])
    desk.return_copy("001", DAY)
    assert desk.members["bob"].debt == 1001
    assert desk.members["cid"].debt == 0


def test_not_on_loan(desk):
    desk.return_copy("001", DAY)
    with pytest.raises(DeskError):
        desk.return_copy("001", DAY)


def test_other_titles_do_not_matter(desk):
    desk.add_copy("900", "Ulysses")
    desk.lend("900", "ann", DAY)
    queue(desk, "bob", "cid")
    assert desk.return_copy("900", DAY).held_for is None
    assert desk.queues["Emma"] == ["bob", "cid"]


def test_renew_possible_when_queue_is_empty_again(desk):
    queue(desk, "bob", "cid", blocked=["bob"])
    desk.return_copy("001", DAY)
    with pytest.raises(DeskError):
        desk.renew("002", DAY)
    desk.pay("bob", 1001)
    desk.return_copy("003", DAY)
    desk.renew("002", DAY)


def test_passed_over_can_not_queue_twice(desk):
    queue(desk, "bob", "cid", blocked=["bob"])
    desk.return_copy("001", DAY)
    with pytest.raises(DeskError):
        desk.place_hold("Emma", "bob")
    assert desk.place_hold("Emma", "cid") == 2
