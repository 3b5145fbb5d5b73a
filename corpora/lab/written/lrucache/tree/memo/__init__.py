from .cache import Cache
from .decorator import cached

__all__ = ["Cache", "cached"]
