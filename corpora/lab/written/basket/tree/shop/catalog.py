"""Product catalogue. All prices are integer pence."""
from dataclasses import dataclass


class UnknownProduct(KeyError):
    """Raised when a SKU isn't in the catalogue."""


@dataclass(frozen=True)
class Product:
    sku: str
    name: str
    price: int
    category: str = "general"


class Catalog:
    def __init__(self, products=()):
        self._products = {}
        for product in products:
            self.add(product)

    def add(self, product):
        if product.price < 0:
            raise ValueError("price must not be negative")
        self._products[product.sku] = product

    def get(self, sku):
        try:
            return self._products[sku]
        except KeyError:
            raise UnknownProduct(sku) from None

    def __contains__(self, sku):
        return sku in self._products

    def in_category(self, category):
        return [p for p in self._products.values() if p.category == category]
