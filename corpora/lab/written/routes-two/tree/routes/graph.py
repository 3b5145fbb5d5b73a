class Graph:
    """Places joined by roads with a length."""

    def __init__(self):
        self._roads = {}

    @classmethod
    def from_text(cls, text):
        """One road a line: ``from to length``; ``>`` before the length for one way.

        Empty lines and lines that start with # are passed over.
        """
        graph = cls()
        for line in text.splitlines():
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            a, b, length = line.split()
            if length.startswith(">"):
                graph.add(a, b, int(length[1:]), both=False)
            else:
                graph.add(a, b, int(length))
        return graph

    def add(self, a, b, length, both=True):
        if length < 0:
            raise ValueError("length must not be negative")
        self._roads.setdefault(a, {})[b] = length
        self._roads.setdefault(b, {})
        if both:
            self._roads[b][a] = length

    def __contains__(self, place):
        return place in self._roads

    def neighbours(self, place):
        return sorted(self._roads[place].items())

    def length(self, path):
        return sum(self._roads[a][b] for a, b in zip(path, path[1:]))
