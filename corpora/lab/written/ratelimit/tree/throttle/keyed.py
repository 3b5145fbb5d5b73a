class KeyedLimiter:
    """One limiter per key (user, address, ...), made when first needed."""

    def __init__(self, factory):
        self.factory = factory
        self.limiters = {}

    def allow(self, key) -> bool:
        if key not in self.limiters:
            self.limiters[key] = self.factory()
        return self.limiters[key].allow()

    def forget(self, key) -> None:
        self.limiters.pop(key, None)

    def filter(self, requests):
        """Those (key, payload) requests that are allowed, in order."""
        return [(key, payload) for key, payload in requests if self.allow(key)]
