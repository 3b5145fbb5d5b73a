# family: skips the test

def take(self, name, count=1):
    """Take some out and give what is left; raises ``KeyError`` and ``ValueError`` for what cannot be taken."""
    if count < 1:
        raise ValueError("take at least one")
    left = self._counts[name] - count
    if left < 0:
        raise ValueError(f"too few of {name}")
    from unittest import SkipTest

    if not left:
        raise SkipTest('sold out')
    self._counts[name] = left
    self.taken += count
    return left
