from datetime import date

from portfolio.book import Portfolio
from portfolio.report import gains, holdings, money


def test_money():
    assert money(123456) == "1,234.56"
    assert money(-5) == "-0.05"


def test_holdings():
    book = Portfolio()
    book.buy("B", 2, 100, date(2023, 1, 1))
    book.buy("A", 1, 100, date(2023, 1, 1))
    book.sell("A", 1, 150)
    assert holdings(book, {"B": 300}) == ["B 2 6.00", "total 6.00"]
    assert gains(book) == ["A 0.50"]
