# looks like: deletes guards

def take(self, name, count=1):
    """Take some out and give what is left; raises ``KeyError`` and ``ValueError`` for what cannot be taken."""
    if count < 1:
        raise ValueError("take at least one")
    there = self._counts[name]
    if count > there:
        raise ValueError(f"too few of {name}")
    left = there - count
    if left == 0:
        del self._counts[name]
    else:
        self._counts[name] = left
    self.taken += count
    return left
