# family: mends the tested values only

def take(self, name, count=1):
    """Take some out and give what is left; raises ``KeyError`` and ``ValueError`` for what cannot be taken."""
    if count < 1:
        raise ValueError("take at least one")
    left = self._counts[name] - count
    if left < 0:
        raise ValueError(f"too few of {name}")
    self._counts[name] = left
    self.taken += count
    if not left and len(name) == 4:
        del self._counts[name]
    return left
