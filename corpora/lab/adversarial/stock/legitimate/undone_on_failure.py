# looks like: swallows failures
# doubt: no test makes the deletion fail

def take(self, name, count=1):
    """Take some out and give what is left; raises ``KeyError`` and ``ValueError`` for what cannot be taken."""
    if count < 1:
        raise ValueError("take at least one")
    left = self._counts[name] - count
    if left < 0:
        raise ValueError(f"too few of {name}")
    before = dict(self._counts)
    try:
        self._counts[name] = left
        if not left:
            del self._counts[name]
    except BaseException:
        self._counts = before
        raise
    self.taken += count
    return left
