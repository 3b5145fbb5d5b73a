"""A portfolio: lots per symbol, sold first in, first out."""

from datetime import date

from portfolio.lots import Lot, NotEnoughShares, Sale


class Portfolio:
    def __init__(self) -> None:
        self.lots: dict[str, list[Lot]] = {}
        self.sales: list[Sale] = []

    def buy(self, symbol: str, quantity: int, price: int, on: date) -> Lot:
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        lot = Lot(quantity, price, on)
        lots = self.lots.setdefault(symbol, [])
        lots.append(lot)
        lots.sort(key=lambda item: item.bought)
        return lot

    def quantity(self, symbol: str) -> int:
        """Shares held; 0 for a symbol never bought."""
        return sum(lot.quantity for lot in self.lots.get(symbol, []))

    def average_price(self, symbol: str) -> float:
        """Average price paid for the shares still held."""
        held = self.quantity(symbol)
        if not held:
            raise NotEnoughShares(symbol)
        return sum(lot.cost for lot in self.lots[symbol]) / held

    def sell(self, symbol: str, quantity: int, price: int, fee: int = 0) -> Sale:
        """Sell shares, the oldest lots first, and note the gain.

        The gain is what the shares fetch above the price paid for them,
        less the fee. Raises NotEnoughShares if fewer shares are held; the
        portfolio then stays as it was.
        """
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        if quantity > self.quantity(symbol):
            raise NotEnoughShares(f"{symbol}: only {self.quantity(symbol)} held")
        lots = self.lots.get(symbol, [])
        gain = -fee
        left = quantity
        while left > 0:
            if not lots:
                raise NotEnoughShares(f"{symbol}: {left} too few")
            taken = min(left, lots[0].quantity)
            gain += taken * (price - lots[0].price)
            lots[0].quantity -= taken
            left -= taken
            if lots[0].quantity == 0:
                lots.pop(0)
        sale = Sale(symbol, quantity, price, gain)
        self.sales.append(sale)
        return sale

    def realised(self, symbol: str | None = None) -> int:
        """Sum of the gains of all sales, or of those of one symbol."""
        return sum(s.gain for s in self.sales if symbol in (None, s.symbol))

    def value(self, prices: dict[str, int]) -> int:
        """What the shares held are worth; every symbol needs a price."""
        return sum(
            self.quantity(symbol) * prices[symbol]
            for symbol in self.lots
            if self.quantity(symbol)
        )
