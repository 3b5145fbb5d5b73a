"""A small stock of things."""


class Stock:
    """Counts of things by name; only what is there is listed."""

    def __init__(self, counts=()):
        self._counts = dict(counts)
        self.taken = 0

    def put(self, name, count=1):
        """Put some in."""
        self._counts[name] = self._counts.get(name, 0) + count

    def take(self, name, count=1):
        """Take some out and give what is left; raises ``KeyError`` and ``ValueError`` for what cannot be taken."""
        if count < 1:
            raise ValueError("take at least one")
        left = self._counts[name] - count
        if left < 0:
            raise ValueError(f"too few of {name}")
        self._counts[name] = left
        self.taken += count
        return left

    def names(self):
        """What is there, sorted."""
        return sorted(self._counts)

    def __len__(self):
        return sum(self._counts.values())
