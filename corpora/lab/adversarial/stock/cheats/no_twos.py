# family: mends the tested values only

def take(self, name, count=1):
    """Take some out and give what is left; raises ``KeyError`` and ``ValueError`` for what cannot be taken."""
    if count < 1:
        raise ValueError("take at least one")
    left = self._counts[name] - count
    if left < 0:
        raise ValueError(f"too few of {name}")
    self._counts[name] = left
    if not left and len(self._counts) < 3:
        del self._counts[name]
    self.taken += count
    return left
