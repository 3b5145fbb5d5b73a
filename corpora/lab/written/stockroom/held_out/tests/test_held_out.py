import pytest

from stockroom import Inventory, Order, OutOfStock

START = {"bolt": {"A1": 5, "B2": 10}, "nut": {"A1": 3}, "pin": {"C1": 0, "C2": 4, "C3": 4}}


@pytest.fixture
def inv():
    inv = Inventory()
    for sku, bins in START.items():
        for bin_, qty in bins.items():
            inv.put(sku, bin_, qty)
    return inv


def stock(inv):
    return {sku: inv.bins(sku) for sku in START}


@pytest.mark.parametrize("lines, sku, missing", [
    ([("nut", 4)], "nut", 1),
    ([("bolt", 4), ("gear", 1)], "gear", 1),
    ([("bolt", 12), ("gear", 2)], "gear", 2),
    ([("bolt", 15), ("nut", 3), ("pin", 9)], "pin", 1),
    ([("bolt", 16)], "bolt", 1),
    ([("bolt", 99), ("nut", 1)], "bolt", 84),
    ([("bolt", 10), ("bolt", 6)], "bolt", 1),
    ([("nut", 2), ("nut", 2)], "nut", 1),
    ([("gear", 7)], "gear", 7),
])
def test_failure_changes_nothing(inv, lines, sku, missing):
    with pytest.raises(OutOfStock) as info:
        inv.reserve(Order(1, list(lines)))
    assert (info.value.sku, info.value.missing) == (sku, missing)
    assert stock(inv) == START
    assert all(inv.reserved(s) == 0 for s in START)


def test_failed_order_may_be_tried_again(inv):
    with pytest.raises(OutOfStock):
        inv.reserve(Order(1).line("bolt", 12).line("nut", 4))
    inv.put("nut", "A1", 1)
    assert inv.reserve(Order(1).line("bolt", 12).line("nut", 4)) == [
        ("bolt", "B2", 10), ("bolt", "A1", 2), ("nut", "A1", 4)]


def test_failure_keeps_earlier_reservations(inv):
    inv.reserve(Order(1).line("bolt", 12))
    with pytest.raises(OutOfStock):
        inv.reserve(Order(2).line("bolt", 2).line("nut", 9))
    assert inv.bins("bolt") == {"A1": 3, "B2": 0}
    assert inv.reserved("bolt") == 12
    inv.release(1)
    assert stock(inv) == START


@pytest.mark.parametrize("lines, picks", [
    ([("bolt", 10)], [("bolt", "B2", 10)]),
    ([("bolt", 3), ("bolt", 9)], [("bolt", "B2", 3), ("bolt", "B2", 7), ("bolt", "A1", 2)]),
    ([("nut", 1), ("nut", 2)], [("nut", "A1", 1), ("nut", "A1", 2)]),
    ([("pin", 5)], [("pin", "C2", 4), ("pin", "C3", 1)]),
    ([], []),
])
def test_picks(inv, lines, picks):
    assert inv.reserve(Order(1, list(lines))) == picks
    total = sum(sum(b.values()) for b in START.values())
    assert sum(inv.on_hand(s) for s in START) == total - sum(q for _, _, q in picks)


def test_order_is_left_alone(inv):
    order = Order(1).line("bolt", 12)
    inv.reserve(order)
    assert order.lines == [("bolt", 12)]


def test_release_and_ship_after_a_failure(inv):
    with pytest.raises(OutOfStock):
        inv.reserve(Order(5).line("bolt", 1).line("gear", 1))
    with pytest.raises(KeyError):
        inv.release(5)
    with pytest.raises(KeyError):
        inv.ship(5)
