import pytest

from shop.basket import Basket
from shop.catalog import Catalog, Product
from shop.promotions import Line, MixAndMatch


def book(price, sku=None, category="books"):
    return Product(sku or f"b{price}", "x", price, category)


CASES = [
    (3, [], 0),
    (3, [(300, 1)], 0),
    (3, [(300, 2)], 0),
    (3, [(300, 3)], 300),
    (3, [(300, 4)], 300),
    (3, [(300, 5)], 300),
    (3, [(300, 6)], 600),
    (3, [(300, 7)], 600),
    (3, [(300, 9)], 900),
    (2, [(300, 2)], 300),
    (2, [(300, 3)], 300),
    (2, [(500, 1), (100, 3)], 200),
    (2, [(100, 3), (500, 1)], 200),
    (3, [(500, 1), (400, 1), (300, 1), (200, 1), (100, 1), (50, 1)], 350),
    (3, [(50, 1), (500, 1), (100, 1), (400, 1), (200, 1), (300, 1)], 350),
    (3, [(100, 2), (500, 2)], 100),
    (3, [(100, 4), (500, 2)], 200),
    (3, [(500, 4), (100, 1)], 500),
    (3, [(500, 4), (100, 2)], 600),
    (4, [(500, 1), (400, 2), (100, 5)], 200),
    (3, [(500, 1), (400, 1)], 0),
]


@pytest.mark.parametrize("size, items, off", CASES)
def test_cases(size, items, off):
    lines = [Line(book(p), n) for p, n in items]
    assert MixAndMatch("books", size).discount(lines) == off


def test_other_categories_do_not_fill_up():
    lines = [Line(book(300), 2), Line(book(100, category="food"), 5)]
    assert MixAndMatch("books", 3).discount(lines) == 0


def test_lines_are_left_alone():
    lines = [Line(book(100), 3), Line(book(300), 3)]
    before = list(lines)
    promo = MixAndMatch("books", 3)
    assert promo.discount(lines) == promo.discount(lines) == 400
    assert lines == before


def test_through_the_basket():
    cat = Catalog([book(300, "a"), book(500, "b")])
    b = Basket(cat, [MixAndMatch("books", 3)])
    b.add("a", 4)
    b.add("b", 2)
    assert b.total() == 4 * 300 + 2 * 500 - 600
