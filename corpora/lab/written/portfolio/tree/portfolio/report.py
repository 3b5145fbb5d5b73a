"""Text reports."""

from portfolio.book import Portfolio


def money(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def holdings(book: Portfolio, prices: dict[str, int]) -> list[str]:
    """One line per symbol that is held, sorted, and the total."""
    lines = []
    for symbol in sorted(book.lots):
        held = book.quantity(symbol)
        if held:
            lines.append(f"{symbol} {held} {money(held * prices[symbol])}")
    lines.append(f"total {money(book.value(prices))}")
    return lines


def gains(book: Portfolio) -> list[str]:
    symbols = dict.fromkeys(sale.symbol for sale in book.sales)
    return [f"{symbol} {money(book.realised(symbol))}" for symbol in symbols]
