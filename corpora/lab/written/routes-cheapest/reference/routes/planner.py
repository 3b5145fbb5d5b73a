"""Planning of routes in a network."""

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count


class NoRoute(Exception):
    pass


@dataclass(frozen=True)
class Route:
    stops: tuple
    cost: float

    def __len__(self):
        return len(self.stops) - 1

    def __add__(self, other):
        if self.stops[-1] != other.stops[0]:
            raise ValueError("routes do not fit together")
        return Route(self.stops + other.stops[1:], self.cost + other.cost)

    def __str__(self):
        return " - ".join(str(s) for s in self.stops) + f" ({self.cost})"


def _trace(came_from, stop):
    """The stops on the way to `stop`, from the start on."""
    stops = []
    while stop is not None:
        stops.append(stop)
        stop = came_from[stop]
    return tuple(reversed(stops))


def cheapest_route(network, start, goal, avoid=()):
    """Find the cheapest route from `start` to `goal`.

    Stops in `avoid` are not entered (leaving one of them at the start is
    fine). Stops may be any hashable objects, they need not be comparable.
    Raises KeyError for unknown stops and NoRoute if there is no way.
    """
    for stop in (start, goal):
        if stop not in network:
            raise KeyError(stop)
    avoid = set(avoid)
    tie = count()
    came_from = {start: None}
    best = {start: 0}
    heap = [(0, next(tie), start)]
    while heap:
        cost, _, stop = heappop(heap)
        if stop == goal:
            return Route(_trace(came_from, goal), cost)
        for neighbour, price in network.neighbours(stop):
            if neighbour in avoid:
                continue
            new = cost + price
            if neighbour not in best or new < best[neighbour]:
                best[neighbour] = new
                came_from[neighbour] = stop
                heappush(heap, (new, next(tie), neighbour))
    raise NoRoute(f"no way from {start} to {goal}")


def route_via(network, stops, avoid=()):
    """Cheapest route that visits the given stops in this order."""
    if len(stops) < 2:
        raise ValueError("need at least two stops")
    route = None
    for a, b in zip(stops, stops[1:]):
        leg = cheapest_route(network, a, b, avoid)
        route = leg if route is None else route + leg
    return route


def round_trip(network, start, goal):
    """There and back again; the way back must not use the stops between."""
    there = cheapest_route(network, start, goal)
    back = cheapest_route(network, goal, start, avoid=there.stops[1:-1])
    return there + back


def reachable(network, start, budget):
    """All stops that can be reached for at most `budget`, with their cost."""
    result = {}
    for stop in list(network._roads):
        try:
            cost = cheapest_route(network, start, stop).cost
        except NoRoute:
            continue
        if cost <= budget:
            result[stop] = cost
    return result
