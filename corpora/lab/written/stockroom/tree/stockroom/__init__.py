from stockroom.inventory import Inventory, OutOfStock
from stockroom.orders import Order
