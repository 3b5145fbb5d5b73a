from .bag import Bag, BagFull
from .hero import Hero
from .items import Item

__all__ = ["Bag", "BagFull", "Hero", "Item"]
