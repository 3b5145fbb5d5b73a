import pytest

from shop.basket import Basket, format_pence, receipt
from shop.catalog import Catalog, Product, UnknownProduct
from shop.promotions import MixAndMatch, MultiBuy, PercentOff


@pytest.fixture
def catalog():
    return Catalog([
        Product("tea", "Tea", 250),
        Product("milk", "Milk", 95),
        Product("novel", "Novel", 799, "books"),
        Product("atlas", "Atlas", 1500, "books"),
        Product("comic", "Comic", 300, "books"),
    ])


def test_unknown_product(catalog):
    with pytest.raises(UnknownProduct):
        Basket(catalog).add("coffee")


def test_add_and_subtotal(catalog):
    b = Basket(catalog)
    b.add("tea", 2)
    b.add("milk")
    b.add("tea")
    assert b.subtotal() == 845


def test_remove(catalog):
    b = Basket(catalog)
    b.add("tea", 2)
    b.remove("tea")
    assert b.subtotal() == 250
    b.remove("tea")
    assert b.lines == []


def test_remove_too_many(catalog):
    b = Basket(catalog)
    b.add("tea")
    with pytest.raises(ValueError):
        b.remove("tea", 2)


def test_three_for_two(catalog):
    b = Basket(catalog, [MultiBuy("tea", 3, 2)])
    b.add("tea", 7)
    assert b.total() == 5 * 250


def test_percent_off_minimum(catalog):
    b = Basket(catalog, [PercentOff(10, minimum=1000)])
    b.add("novel")
    assert b.total() == 799
    b.add("comic")
    assert b.total() == 990


def test_mix_and_match_three_books(catalog):
    b = Basket(catalog, [MixAndMatch("books", 3)])
    for sku in ("novel", "atlas", "comic"):
        b.add(sku)
    assert b.total() == 1500 + 799


def test_mix_and_match_ignores_other_categories(catalog):
    b = Basket(catalog, [MixAndMatch("books", 3)])
    b.add("novel")
    b.add("atlas")
    b.add("milk")
    assert b.discount() == 0


def test_mix_and_match_same_book_three_times(catalog):
    b = Basket(catalog, [MixAndMatch("books", 3)])
    b.add("comic", 3)
    assert b.discount() == 300


def test_mix_and_match_two_of_one_and_one_of_another(catalog):
    b = Basket(catalog, [MixAndMatch("books", 3)])
    b.add("atlas", 2)
    b.add("comic")
    assert b.discount() == 300


def test_receipt(catalog):
    b = Basket(catalog, [MultiBuy("tea", 3, 2)])
    b.add("tea", 3)
    assert receipt(b) == "3 x Tea: £7.50\nSavings: -£2.50\nTotal: £5.00"


def test_format_pence():
    assert format_pence(5) == "£0.05"
