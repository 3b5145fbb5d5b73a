class Network:
    """Stops and the roads between them. Prices are never negative."""

    def __init__(self):
        self._roads = {}
        self._closed = set()

    def __contains__(self, stop):
        return stop in self._roads

    def __len__(self):
        return len(self._roads)

    def add_stop(self, stop):
        self._roads.setdefault(stop, {})

    def add_road(self, a, b, price, one_way=False):
        """Add a road; of several roads between two stops the last counts."""
        if price < 0:
            raise ValueError("price must not be negative")
        self.add_stop(a)
        self.add_stop(b)
        self._roads[a][b] = price
        if not one_way:
            self._roads[b][a] = price

    def close(self, a, b):
        """Close the road between two stops in both directions."""
        self._closed.add(frozenset((a, b)))

    def open(self, a, b):
        self._closed.discard(frozenset((a, b)))

    def price(self, a, b):
        return self._roads[a][b]

    def neighbours(self, stop):
        """(neighbour, price) of all open roads from this stop."""
        for other, price in self._roads[stop].items():
            if frozenset((stop, other)) not in self._closed:
                yield other, price
