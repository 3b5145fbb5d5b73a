from playqueue.queue import PlayQueue
from playqueue.track import Track

__all__ = ["PlayQueue", "Track"]
