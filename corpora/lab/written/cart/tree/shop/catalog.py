from dataclasses import dataclass


@dataclass(frozen=True)
class Product:
    sku: str
    name: str
    price_cents: int
    category: str = "general"


class UnknownProduct(KeyError):
    pass


class Catalog:
    """All the things we sell, by SKU."""

    def __init__(self, products=()):
        self._by_sku = {}
        for p in products:
            self.add(p)

    def add(self, product):
        if product.price_cents < 0:
            raise ValueError("price must not be negative")
        self._by_sku[product.sku] = product

    def get(self, sku):
        try:
            return self._by_sku[sku]
        except KeyError:
            raise UnknownProduct(sku) from None

    def __len__(self):
        return len(self._by_sku)
