import pytest

from stock import Inventory, Order, OutOfStock, ReservationError, Shop


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
    for sku, quantity in (("pen", 5), ("ink", 2), ("cap", 1)):
        inv.receive(sku, quantity)
    return inv


def missing(inv, *lines, order="X"):
    with pytest.raises(OutOfStock) as info:
        inv.reserve_order(order, list(lines))
    return info.value.missing


def test_two_lines_just_enough(inv):
    ids = inv.reserve_order("A", [("pen", 3), ("pen", 2)])
    assert len(set(ids)) == 2
    assert inv.available("pen") == 0
    assert inv.reservations("A") == [("pen", 3, "open"), ("pen", 2, "open")]


def test_two_lines_far_below(inv):
    inv.reserve_order("A", [("pen", 1), ("pen", 1)])
    assert inv.available("pen") == 3


def test_equal_lines_stay_two_lines(inv):
    inv.reserve_order("A", [("pen", 2), ("pen", 2)])
    assert inv.reservations("A") == [("pen", 2, "open"), ("pen", 2, "open")]


def test_lines_apart(inv):
    assert missing(inv, ("pen", 3), ("ink", 1), ("pen", 3)) == {"pen": 1}
    assert (inv.available("pen"), inv.available("ink")) == (5, 2)


def test_lines_apart_just_enough(inv):
    inv.reserve_order("A", [("pen", 3), ("ink", 1), ("pen", 2), ("ink", 1)])
    assert inv.reservations("A") == [
        ("pen", 3, "open"), ("ink", 1, "open"), ("pen", 2, "open"), ("ink", 1, "open")]


def test_three_lines(inv):
    assert missing(inv, ("pen", 2), ("pen", 2), ("pen", 2)) == {"pen": 1}
    assert missing(inv, ("pen", 4), ("pen", 4), ("pen", 4)) == {"pen": 7}


def test_one_line_too_much_already(inv):
    assert missing(inv, ("pen", 9), ("pen", 1)) == {"pen": 5}
    assert missing(inv, ("pen", 1), ("pen", 9)) == {"pen": 5}


def test_all_lacking_articles_are_named(inv):
    found = missing(inv, ("ink", 2), ("pen", 6), ("ink", 2), ("cap", 1))
    assert found == {"ink": 2, "pen": 1}


def test_message(inv):
    with pytest.raises(OutOfStock, match="missing 1 x pen$"):
        inv.reserve_order("A", [("pen", 3), ("pen", 3)])


def test_other_orders_count(inv):
    inv.reserve_order("A", [("pen", 2)])
    assert missing(inv, ("pen", 2), ("pen", 2)) == {"pen": 1}
    inv.reserve_order("B", [("pen", 2), ("pen", 1)])
    assert inv.available("pen") == 0


def test_expired_reservations_do_not_count(inv, clock):
    inv.reserve_order("A", [("pen", 3), ("pen", 2)])
    clock.value = 60
    inv.reserve_order("B", [("pen", 3), ("pen", 2)])
    assert inv.available("pen") == 0


def test_unknown_article(inv):
    assert missing(inv, ("gum", 1), ("gum", 2)) == {"gum": 3}


def test_refused_order_leaves_nothing(inv):
    missing(inv, ("pen", 3), ("pen", 3), order="A")
    assert inv.reservations("A") == []
    assert inv.cancel("A") == 0
    with pytest.raises(ReservationError):
        inv.ship("A")


def test_refused_order_can_be_tried_again(inv):
    missing(inv, ("pen", 3), ("pen", 3), order="A")
    inv.receive("pen", 1)
    assert len(inv.reserve_order("A", [("pen", 3), ("pen", 3)])) == 2
    assert inv.available("pen") == 0


def test_ids_in_order_of_lines(inv):
    lines = [("pen", 1), ("cap", 1), ("pen", 2), ("ink", 1)]
    ids = inv.reserve_order("A", lines)
    stored = dict((i, (sku, q)) for i, sku, q in
                  inv.conn.execute("SELECT id, sku, quantity FROM reservation"))
    assert [stored[i] for i in ids] == lines


def test_lines_of_the_caller_are_not_changed(inv):
    lines = [("pen", 2), ("cap", 1), ("pen", 1)]
    inv.reserve_order("A", lines)
    assert lines == [("pen", 2), ("cap", 1), ("pen", 1)]


def test_lines_as_tuple(inv):
    assert len(inv.reserve_order("A", (("pen", 2), ("pen", 1)))) == 2


@pytest.mark.parametrize("lines", [
    [("pen", 3), ("pen", -1)], [("pen", 0), ("pen", 1)], [("pen", 6), ("pen", -1)], [("ink", 1), ("cap", 0)],
])
def test_bad_quantity_on_any_line(inv, lines):
    with pytest.raises(ValueError):
        inv.reserve_order("A", lines)
    assert inv.reservations("A") == []
    assert inv.available("pen") == 5


def test_order_number_used_before(inv):
    inv.reserve_order("A", [("pen", 1)])
    inv.cancel("A")
    with pytest.raises(ReservationError):
        inv.reserve_order("A", [("pen", 1)])


def test_ship_several_lines(inv):
    inv.reserve_order("A", [("pen", 3), ("pen", 2)])
    inv.ship("A")
    assert inv.on_hand("pen") == 0
    assert inv.available("pen") == 0
    assert {status for _, _, status in inv.reservations("A")} == {"shipped"}


def test_cancel_several_lines(inv):
    inv.reserve_order("A", [("pen", 3), ("pen", 2)])
    assert inv.cancel("A") == 2
    assert inv.available("pen") == 5


def test_gift_line_is_the_right_one(inv):
    shop = Shop(inv)
    assert shop.place(Order("A").add("pen", 2).add("cap").add("pen", gift=True))
    (gift,) = shop.gift_reservations
    assert inv.conn.execute(
        "SELECT sku, quantity FROM reservation WHERE id = ?", (gift,)).fetchone() == ("pen", 1)


def test_shop_tells_what_is_missing(inv):
    told = []
    shop = Shop(inv, lambda number, text: told.append(text))
    assert not shop.place(Order("A").add("pen", 4).add("ink").add("pen", 4))
    assert told == ["not enough in stock, missing 3 x pen"]


def test_sum_of_different_articles_does_not_matter(inv):
    inv.reserve_order("A", [("pen", 5), ("ink", 2), ("cap", 1)])
    assert [inv.available(s) for s in ("pen", "ink", "cap")] == [0, 0, 0]
