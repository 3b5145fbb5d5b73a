"""An in-memory cache with a size limit (LRU) and an optional time to live."""
import time
from collections import OrderedDict

from .stats import Stats


class Cache:
    def __init__(self, max_size, ttl=None, clock=time.monotonic):
        if max_size < 1:
            raise ValueError("max_size must be at least 1")
        self.max_size = max_size
        self.ttl = ttl
        self.clock = clock
        self.stats = Stats()
        self._data = OrderedDict()  # key -> (value, expires at or None)

    def __len__(self):
        self._purge()
        return len(self._data)

    def __contains__(self, key):
        """Doesn't count as a use, nor in the statistics."""
        entry = self._data.get(key)
        return entry is not None and not self._is_old(entry)

    def _is_old(self, entry):
        return entry[1] is not None and self.clock() >= entry[1]

    def _purge(self):
        for key in [k for k, e in self._data.items() if self._is_old(e)]:
            del self._data[key]
            self.stats.expired += 1

    def get(self, key, default=None):
        entry = self._data.get(key)
        if entry is not None and self._is_old(entry):
            del self._data[key]
            self.stats.expired += 1
            entry = None
        if entry is None:
            self.stats.misses += 1
            return default
        self._data.move_to_end(key)
        self.stats.hits += 1
        return entry[0]

    def put(self, key, value, ttl=None):
        """Store a value; it becomes the most recently used one.

        If there is no room for a new key, entries whose time is over go first
        (they count as expired, not as evicted), then the least recently
        used one.
        """
        ttl = self.ttl if ttl is None else ttl
        expires = None if ttl is None else self.clock() + ttl
        if key not in self._data and len(self._data) >= self.max_size:
            self._purge()
            if len(self._data) >= self.max_size:
                self._data.popitem(last=False)
                self.stats.evicted += 1
        self._data[key] = (value, expires)
        self._data.move_to_end(key)

    def discard(self, key):
        self._data.pop(key, None)

    def keys(self):
        """Keys from the least to the most recently used."""
        self._purge()
        return list(self._data)
