import pytest

from stock import Inventory, Order, Shop


@pytest.fixture
def shop():
    inv = Inventory()
    inv.receive("book", 2)
    inv.receive("pen", 10)
    return Shop(inv)


def test_place_and_dispatch(shop):
    told = []
    shop.notify = lambda *args: told.append(args)
    assert shop.place(Order("7").add("book").add("pen", 4))
    shop.dispatch("7")
    assert shop.inventory.on_hand("pen") == 6
    assert told == [("7", "2 lines reserved"), ("7", "shipped")]


def test_refused(shop):
    told = []
    shop.notify = lambda *args: told.append(args)
    assert not shop.place(Order("8").add("book", 3))
    assert told == [("8", "not enough in stock, missing 1 x book")]


def test_order_with_gift_copy(shop):
    order = Order("9").add("book", 2).add("pen").add("book", gift=True)
    assert not shop.place(order)
    assert shop.inventory.available("pen") == 10
    assert shop.gift_reservations == set()
