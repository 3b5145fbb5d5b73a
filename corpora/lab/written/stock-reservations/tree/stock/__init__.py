from .errors import OutOfStock, ReservationError
from .inventory import Inventory
from .shop import Order, Shop

__all__ = ["Inventory", "Order", "OutOfStock", "ReservationError", "Shop"]
