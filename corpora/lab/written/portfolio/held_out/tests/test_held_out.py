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
    return [(lot.quantity, lot.price, lot.bought) for lot in book.lots.get(symbol, [])]


@pytest.mark.parametrize(
    "symbol, quantity",
    [("ACME", 16), ("ACME", 20), ("ACME", 35), ("ACME", 36), ("BETA", 21), ("BETA", 35)],
)
def test_too_many_changes_nothing(book, symbol, quantity):
    before = lots(book, "ACME"), lots(book, "BETA")
    with pytest.raises(NotEnoughShares):
        book.sell(symbol, quantity, 900)
    assert (lots(book, "ACME"), lots(book, "BETA")) == before
    assert book.sales == []
    assert book.realised() == 0


def test_symbol_never_bought(book):
    with pytest.raises(NotEnoughShares):
        book.sell("NONE", 1, 100)
    assert book.sales == []
    assert book.quantity("NONE") == 0


def test_symbol_sold_out(book):
    book.sell("BETA", 20, 100)
    with pytest.raises(NotEnoughShares):
        book.sell("BETA", 1, 100)
    assert book.quantity("BETA") == 0
    assert len(book.sales) == 1


@pytest.mark.parametrize("quantity", [0, -1, -20])
def test_not_positive(book, quantity):
    with pytest.raises(ValueError):
        book.sell("ACME", quantity, 100)
    assert book.sales == []


@pytest.mark.parametrize(
    "quantity, gain, left",
    [
        (1, 200, [9, 5]),
        (10, 2000, [5]),
        (11, 1900, [4]),
        (14, 1600, [1]),
        (15, 1500, []),
    ],
)
def test_gain(book, quantity, gain, left):
    sale = book.sell("ACME", quantity, 700)
    assert (sale.symbol, sale.quantity, sale.price, sale.gain) == (
        "ACME",
        quantity,
        700,
        gain,
    )
    assert [lot[0] for lot in lots(book, "ACME")] == left
    assert book.sales == [sale]


def test_failed_after_part_sold(book):
    book.sell("ACME", 4, 700)
    with pytest.raises(NotEnoughShares):
        book.sell("ACME", 12, 700)
    assert [lot[:2] for lot in lots(book, "ACME")] == [(6, 500), (5, 800)]
    assert book.sell("ACME", 11, 700, fee=10).gain == 6 * 200 - 5 * 100 - 10


def test_average_survives_a_failure(book):
    with pytest.raises(NotEnoughShares):
        book.sell("ACME", 16, 700)
    assert book.average_price("ACME") == 600
