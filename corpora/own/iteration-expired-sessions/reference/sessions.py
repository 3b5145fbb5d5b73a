"""Sessions that end after a while."""


class Sessions:
    """Tokens and when they were last seen. Times are given by the caller, in seconds."""

    def __init__(self, lifetime):
        self.lifetime = lifetime
        self._seen = {}

    def touch(self, token, now):
        self._seen[token] = now

    def is_open(self, token, now):
        seen = self._seen.get(token)
        return seen is not None and now - seen <= self.lifetime

    def sweep(self, now):
        """Forget what has ended; gives the tokens, in the order in which they were first seen."""
        gone = []
        for token, seen in list(self._seen.items()):
            if now - seen > self.lifetime:
                gone.append(token)
                del self._seen[token]
        return gone

    def __len__(self):
        return len(self._seen)
