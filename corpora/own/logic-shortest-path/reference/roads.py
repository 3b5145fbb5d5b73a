"""Shortest ways through a network of roads."""

import heapq


class Roads:
    """Places and the roads between them; roads go both ways."""

    def __init__(self):
        self._roads = {}

    def add(self, one, other, length):
        if length < 0:
            raise ValueError("a road has no negative length")
        self._roads.setdefault(one, {})[other] = length
        self._roads.setdefault(other, {})[one] = length
        return self

    def shortest(self, start, goal):
        """(length, places) of a shortest way; None where there is none."""
        queue = [(0, start, (start,))]
        seen = set()
        while queue:
            length, place, way = heapq.heappop(queue)
            if place == goal:
                return length, list(way)
            if place in seen:
                continue
            seen.add(place)
            for following, more in self._roads.get(place, {}).items():
                if following not in seen:
                    heapq.heappush(queue, (length + more, following, (*way, following)))
        return None

    def reachable(self, start):
        found, waiting = {start}, [start]
        while waiting:
            for following in self._roads.get(waiting.pop(), ()):
                if following not in found:
                    found.add(following)
                    waiting.append(following)
        return found
