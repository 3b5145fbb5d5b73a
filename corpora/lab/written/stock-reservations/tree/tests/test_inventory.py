import pytest

from stock import Inventory, OutOfStock, ReservationError


class Clock:
    value = 0.0

    def __call__(self):
        return self.value


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def inv(clock):
    inv = Inventory(ttl=60, now=clock)
    inv.receive("pen", 5)
    inv.receive("ink", 2)
    return inv


def test_receive_adds_up(inv):
    inv.receive("pen", 3)
    assert inv.on_hand("pen") == 8
    assert inv.on_hand("paper") == 0


def test_reserve(inv):
    ids = inv.reserve_order("A1", [("pen", 3), ("ink", 2)])
    assert len(ids) == 2
    assert (inv.available("pen"), inv.available("ink")) == (2, 0)
    assert inv.on_hand("pen") == 5
    assert sorted(inv.reservations("A1")) == [("ink", 2, "open"), ("pen", 3, "open")]


def test_all_or_nothing(inv):
    with pytest.raises(OutOfStock) as info:
        inv.reserve_order("A1", [("pen", 3), ("ink", 4)])
    assert info.value.missing == {"ink": 2}
    assert inv.available("pen") == 5


def test_article_on_two_lines_needs_the_sum(inv):
    with pytest.raises(OutOfStock) as info:
        inv.reserve_order("A1", [("pen", 3), ("pen", 3)])
    assert info.value.missing == {"pen": 1}
    assert inv.available("pen") == 5


def test_held_by_another_order(inv):
    inv.reserve_order("A1", [("pen", 4)])
    with pytest.raises(OutOfStock):
        inv.reserve_order("A2", [("pen", 2)])
    inv.reserve_order("A3", [("pen", 1)])


@pytest.mark.parametrize("quantity", [0, -1])
def test_bad_quantity(inv, quantity):
    with pytest.raises(ValueError):
        inv.reserve_order("A1", [("ink", 1), ("pen", quantity)])
    assert inv.available("ink") == 2


def test_order_number_only_once(inv):
    inv.reserve_order("A1", [("pen", 1)])
    with pytest.raises(ReservationError):
        inv.reserve_order("A1", [("pen", 1)])


def test_expiry(inv, clock):
    inv.reserve_order("A1", [("pen", 5)])
    clock.value = 60
    assert inv.available("pen") == 5
    with pytest.raises(ReservationError):
        inv.ship("A1")


def test_cancel(inv):
    inv.reserve_order("A1", [("pen", 5), ("ink", 1)])
    assert inv.cancel("A1") == 2
    assert inv.available("pen") == 5
    assert inv.cancel("A1") == 0
