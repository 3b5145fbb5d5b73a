from .cache import Cache
from .memo import memoize

__all__ = ["Cache", "memoize"]
