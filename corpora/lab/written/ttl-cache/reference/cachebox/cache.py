import math
import time
from collections import OrderedDict

from .entry import Entry, Stats

_UNSET = object()


class TTLCache:
    """A cache of at most `maxsize` entries, each of which may have an end.

    If there is no room, the least recently used entry has to go. get() and
    set() count as use, `in` and peek() do not.
    """

    def __init__(self, maxsize, ttl=None, clock=time.monotonic, on_evict=None):
        if maxsize < 1:
            raise ValueError("maxsize must be at least 1")
        self.maxsize = maxsize
        self.ttl = ttl              # default, None: for ever
        self.clock = clock
        self.on_evict = on_evict
        self.stats = Stats()
        self._data = OrderedDict()  # least recently used first

    def __len__(self):
        """Number of entries that are still good."""
        now = self.clock()
        return sum(not e.expired(now) for e in self._data.values())

    def __contains__(self, key):
        entry = self._data.get(key)
        return entry is not None and not entry.expired(self.clock())

    def keys(self):
        """Good keys, least recently used first."""
        now = self.clock()
        return [k for k, e in self._data.items() if not e.expired(now)]

    def peek(self, key, default=None):
        return self._data[key].value if key in self else default

    def get(self, key, default=None):
        if key not in self:
            self._data.pop(key, None)
            self.stats.misses += 1
            return default
        self.stats.hits += 1
        self._data.move_to_end(key)
        return self._data[key].value

    def expire(self):
        """Drop all expired entries; returns how many there were."""
        now = self.clock()
        old = [k for k, e in self._data.items() if e.expired(now)]
        for key in old:
            del self._data[key]
        return len(old)

    def set(self, key, value, ttl=_UNSET):
        """Store a value, new or in place of an old one.

        The entry becomes the most recently used one, and its time starts
        anew: `ttl` seconds, or the default of the cache if not given (None:
        for ever).  If a new key finds no room, expired entries go first; only
        if there are none, the least recently used entry is evicted, which is
        counted in the stats and reported as on_evict(key, value).
        """
        if ttl is _UNSET:
            ttl = self.ttl
        expires = math.inf if ttl is None else self.clock() + ttl
        if key not in self._data:
            if len(self._data) >= self.maxsize:
                self.expire()
            if len(self._data) >= self.maxsize:
                old_key, old = self._data.popitem(last=False)
                self.stats.evictions += 1
                if self.on_evict is not None:
                    self.on_evict(old_key, old.value)
        self._data[key] = Entry(value, expires)
        self._data.move_to_end(key)

    def delete(self, key):
        """Remove a key; True if it was there."""
        return self._data.pop(key, None) is not None

    def clear(self):
        self._data.clear()
        self.stats = Stats()
