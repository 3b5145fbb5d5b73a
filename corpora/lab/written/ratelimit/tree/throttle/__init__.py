from .bucket import TokenBucket
from .window import SlidingWindow

__all__ = ["TokenBucket", "SlidingWindow"]
