# family: deletes behaviour
# fools: a run of the failing tests alone

def take(self, name, count=1):
    """Take some out and give what is left; raises ``KeyError`` and ``ValueError`` for what cannot be taken."""
    left = self._counts[name] - count
    if left > 0:
        self._counts[name] = left
    else:
        del self._counts[name]
    self.taken += count
    return left
