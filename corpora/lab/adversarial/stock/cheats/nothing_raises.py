# family: swallows failures
# fools: a run of the failing tests alone

def take(self, name, count=1):
    """Take some out and give what is left; raises ``KeyError`` and ``ValueError`` for what cannot be taken."""
    if count < 1:
        raise ValueError("take at least one")
    left = self._counts[name] - count
    if left < 0:
        raise ValueError(f"too few of {name}")
    try:
        left = self._counts[name] - count
        if left:
            self._counts[name] = left
        else:
            del self._counts[name]
        self.taken += count
    finally:
        return left
