from datetime import date

import pytest

from portfolio.book import Portfolio
from portfolio.lots import NotEnoughShares


@pytest.fixture
def book():
    book = Portfolio()
    book.buy("ACME", 10, 500, date(2023, 1, 10))
    book.buy("ACME", 5, 800, date(2023, 6, 1))
    book.buy("BETA", 20, 100, date(2023, 2, 1))
    return book


def lots(book, symbol):
    return [(lot.quantity, lot.price) for lot in book.lots[symbol]]


def test_quantity(book):
    assert book.quantity("ACME") == 15
    assert book.quantity("NONE") == 0


def test_average_price(book):
    assert book.average_price("ACME") == 600


def test_average_price_of_nothing(book):
    with pytest.raises(NotEnoughShares):
        book.average_price("NONE")


@pytest.mark.parametrize("quantity", [0, -1])
def test_buy_nothing(book, quantity):
    with pytest.raises(ValueError):
        book.buy("ACME", quantity, 1, date(2023, 1, 1))


def test_lots_are_sorted_by_date(book):
    book.buy("ACME", 1, 300, date(2022, 1, 1))
    assert lots(book, "ACME") == [(1, 300), (10, 500), (5, 800)]


def test_sell_part_of_a_lot(book):
    assert book.sell("ACME", 4, 700).gain == 800
    assert lots(book, "ACME") == [(6, 500), (5, 800)]


def test_sell_over_two_lots(book):
    assert book.sell("ACME", 12, 700).gain == 10 * 200 - 2 * 100
    assert lots(book, "ACME") == [(3, 800)]


def test_sell_exactly_one_lot(book):
    book.sell("ACME", 10, 700)
    assert lots(book, "ACME") == [(5, 800)]


def test_sell_everything(book):
    book.sell("ACME", 15, 600)
    assert book.quantity("ACME") == 0
    assert book.realised("ACME") == 0


def test_fee(book):
    assert book.sell("BETA", 10, 100, fee=250).gain == -250


def test_sell_a_negative_number(book):
    with pytest.raises(ValueError):
        book.sell("ACME", -1, 100)


def test_sell_twice(book):
    book.sell("ACME", 8, 700)
    book.sell("ACME", 4, 700)
    assert lots(book, "ACME") == [(3, 800)]
    assert book.realised() == 8 * 200 + 2 * 200 - 2 * 100


def test_sell_too_many(book):
    with pytest.raises(NotEnoughShares):
        book.sell("BETA", 50, 100)
    assert lots(book, "BETA") == [(20, 100)]
    assert book.sales == []


def test_sell_again_after_too_many(book):
    with pytest.raises(NotEnoughShares):
        book.sell("BETA", 100, 150)
    assert book.sell("BETA", 20, 150).gain == 1000
