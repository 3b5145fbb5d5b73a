from .cart import Cart
from .catalog import Catalog, Product
