"""A cache that forgets what was not used for the longest time."""


class LRU:
    """At most ``size`` entries; dictionaries keep the order in which keys are put in."""

    def __init__(self, size):
        if size < 1:
            raise ValueError("a cache holds at least one entry")
        self.size = size
        self._entries = {}

    def get(self, key, default=None):
        if key not in self._entries:
            return default
        value = self._entries.pop(key)
        self._entries[key] = value
        return value

    def put(self, key, value):
        """Add or replace an entry; gives the key that had to go, if any."""
        self._entries[key] = value
        if len(self._entries) < self.size:
            return None
        oldest = next(iter(self._entries))
        del self._entries[oldest]
        return oldest

    def keys(self):
        """The one that goes next first."""
        return list(self._entries)
