from datetime import date, timedelta

import pytest

from library import Desk, DeskError, Status

DAY = date(2024, 3, 1)


@pytest.fixture
def desk():
    d = Desk()
    for m in ("ann", "bob", "cid", "dee"):
        d.add_member(m)
    d.add_copy("001", "Emma")
    d.add_copy("002", "Emma")
    return d


def test_lend(desk):
    loan = desk.lend("001", "ann", DAY)
    assert loan.due == DAY + timedelta(days=21)


def test_lend_twice(desk):
    desk.lend("001", "ann", DAY)
    with pytest.raises(DeskError):
        desk.lend("001", "bob", DAY)


def test_return_in_time(desk):
    desk.lend("001", "ann", DAY)
    receipt = desk.return_copy("001", DAY)
    assert receipt.fine == 0
    assert desk.copies["001"].status is Status.AVAILABLE


def test_return_late(desk):
    desk.lend("001", "ann", DAY)
    assert desk.return_copy("001", DAY + timedelta(days=25)).fine == 100


def test_hold(desk):
    desk.lend("001", "ann", DAY)
    desk.place_hold("Emma", "bob")
    assert desk.return_copy("001", DAY).held_for == "bob"


def test_blocked_member_is_passed_over(desk):
    desk.lend("001", "ann", DAY)
    desk.place_hold("Emma", "bob")
    desk.place_hold("Emma", "cid")
    desk.members["bob"].debt = 2000
    assert desk.return_copy("001", DAY).held_for == "cid"


def test_renew_with_hold(desk):
    desk.lend("001", "ann", DAY)
    desk.place_hold("Emma", "bob")
    with pytest.raises(DeskError):
        desk.renew("001", DAY)


def test_pay(desk):
    desk.members["ann"].debt = 300
    assert desk.pay("ann", 100) == 200
