from .core import convert, Incompatible
from .table import UnknownUnit
