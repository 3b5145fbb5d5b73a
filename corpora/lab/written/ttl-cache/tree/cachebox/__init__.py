from .cache import TTLCache
from .decorator import cached

__all__ = ["TTLCache", "cached"]
