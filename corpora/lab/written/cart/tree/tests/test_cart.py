import pytest

from shop import Cart, Catalog, Product
from shop.catalog import UnknownProduct
from shop.pricing import format_cents, shipping, tier_percent


@pytest.fixture
def catalog():
    return Catalog([
        Product("MUG", "Mug", 800),
        Product("PEN", "Pen", 120, "office"),
        Product("BAG", "Bag", 2500),
    ])


def test_empty_cart_costs_nothing(catalog):
    assert Cart(catalog).total() == 0


def test_add_accumulates(catalog):
    cart = Cart(catalog)
    cart.add("MUG")
    cart.add("MUG", 2)
    assert cart.quantity("MUG") == 3


def test_unknown_product(catalog):
    with pytest.raises(UnknownProduct):
        Cart(catalog).add("NOPE")


def test_remove_some_and_all(catalog):
    cart = Cart(catalog)
    cart.add("PEN", 4)
    cart.remove("PEN", 1)
    assert cart.quantity("PEN") == 3
    cart.remove("PEN")
    assert cart.quantity("PEN") == 0


def test_small_order_pays_shipping(catalog):
    cart = Cart(catalog)
    cart.add("MUG")
    assert cart.total() == 800 + 495


def test_shipping_free_from_fifty():
    assert shipping(4999) == 495
    assert shipping(5000) == 0


def test_no_discount_below_first_tier():
    assert tier_percent(4) == 0


def test_big_order_discount(catalog):
    cart = Cart(catalog)
    cart.add("PEN", 60)
    # 72.00 less 20 percent
    assert cart.subtotal() == 5760


def test_receipt(catalog):
    cart = Cart(catalog)
    cart.add("BAG", 2)
    cart.add("MUG", 1)
    assert cart.receipt() == "2 x Bag: 50.00\n1 x Mug: 8.00\nTotal: 58.00"


def test_format_cents():
    assert format_cents(5) == "0.05"
    assert format_cents(-1234) == "-12.34"
