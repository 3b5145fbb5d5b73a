"""A cache bounded in size (least recently used goes first) and in time."""
from collections import OrderedDict

from .clock import system_clock
from .stats import Stats

_MISSING = object()


class Cache:
    def __init__(self, capacity, ttl=None, clock=system_clock):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self.ttl = ttl
        self.clock = clock
        self.stats = Stats()
        self._data = OrderedDict()  # key -> (value, expires), oldest use first

    def __len__(self):
        self.purge()
        return len(self._data)

    def __contains__(self, key):
        entry = self._data.get(key)
        return entry is not None and not self._expired(entry)

    def keys(self):
        """Live keys, the least recently used first."""
        self.purge()
        return list(self._data)

    def get(self, key, default=None):
        entry = self._data.get(key)
        if entry is None or self._expired(entry):
            self._data.pop(key, None)
            self.stats.misses += 1
            return default
        self._data.move_to_end(key)
        self.stats.hits += 1
        return entry[0]

    def put(self, key, value, ttl=None):
        """Store a value; this counts as a use and starts its time anew.

        ``ttl`` overrides the cache's own. When there is no room expired
        entries go first, then the least recently used ones.
        """
        if len(self._data) >= self.capacity:
            self.purge()
        while len(self._data) >= self.capacity:
            self._data.popitem(last=False)
            self.stats.evictions += 1
        ttl = self.ttl if ttl is None else ttl
        expires = None if ttl is None else self.clock() + ttl
        self._data[key] = (value, expires)
        self._data.move_to_end(key)

    def delete(self, key):
        return self._data.pop(key, None) is not None

    def clear(self):
        self._data.clear()
        self.stats = Stats()

    def purge(self):
        """Drop expired entries; how many there were."""
        dead = [k for k, e in self._data.items() if self._expired(e)]
        for k in dead:
            del self._data[k]
        return len(dead)

    def _expired(self, entry):
        return entry[1] is not None and self.clock() >= entry[1]
