from stockroom import Inventory
from stockroom.report import low_stock, pick_list


def test_low_stock():
    inv = Inventory()
    inv.put("a", "X", 2)
    inv.put("b", "X", 9)
    assert low_stock(inv, {"a": 5, "b": 5, "c": 10}) == [("c", 10), ("a", 3)]


def test_pick_list():
    text = pick_list([("nut", "B1", 2), ("bolt", "A1", 10)])
    assert text.splitlines() == ["A1  bolt        10", "B1  nut          2"]
