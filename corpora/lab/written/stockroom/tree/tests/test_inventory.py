import pytest

from stockroom import Inventory, Order, OutOfStock


@pytest.fixture
def inv():
    inv = Inventory()
    inv.put("bolt", "A1", 5)
    inv.put("bolt", "B2", 10)
    inv.put("nut", "A1", 3)
    return inv


def test_on_hand(inv):
    assert inv.on_hand("bolt") == 15
    assert inv.on_hand("washer") == 0


def test_put_adds_up(inv):
    inv.put("nut", "A1", 4)
    assert inv.bins("nut") == {"A1": 7}


def test_reserve_takes_fullest_bin_first(inv):
    picks = inv.reserve(Order(1).line("bolt", 12))
    assert picks == [("bolt", "B2", 10), ("bolt", "A1", 2)]
    assert inv.bins("bolt") == {"A1": 3, "B2": 0}
    assert inv.reserved("bolt") == 12


def test_reserve_twice(inv):
    inv.reserve(Order(1).line("nut", 1))
    with pytest.raises(ValueError):
        inv.reserve(Order(1).line("nut", 1))


def test_out_of_stock(inv):
    with pytest.raises(OutOfStock) as info:
        inv.reserve(Order(2).line("nut", 5))
    assert info.value.sku == "nut"
    assert info.value.missing == 2


def test_failed_order_leaves_the_other_lines_alone(inv):
    with pytest.raises(OutOfStock):
        inv.reserve(Order(3).line("bolt", 4).line("gear", 1))
    assert inv.on_hand("bolt") == 15
    assert inv.reserved("bolt") == 0


def test_release(inv):
    inv.reserve(Order(1).line("bolt", 12).line("nut", 3))
    inv.release(1)
    assert inv.bins("bolt") == {"A1": 5, "B2": 10}
    assert inv.bins("nut") == {"A1": 3}


def test_ship(inv):
    inv.reserve(Order(1).line("nut", 2))
    assert inv.ship(1) == [("nut", "A1", 2)]
    assert inv.reserved("nut") == 0
    assert inv.on_hand("nut") == 1


def test_order_lines():
    assert Order(9).line("a", 2).line("b", 3).pieces() == 5
    with pytest.raises(ValueError):
        Order(9).line("a", 0)
