import heapq


class NoRoute(Exception):
    pass


class Route:
    def __init__(self, stops, minutes):
        self.stops = stops
        self.minutes = minutes

    def __repr__(self):
        return f"Route({' > '.join(self.stops)}, {self.minutes} min)"


def fastest(network, start, goal, avoid=()):
    """The route that takes the fewest minutes (Dijkstra).

    Stops in ``avoid`` are not passed through. Raises KeyError for stops not
    in the network and NoRoute when there is no way.
    """
    for stop in (start, goal):
        if stop not in network:
            raise KeyError(stop)
    best = {start: 0}
    came_from = {}
    queue = [(0, start)]
    while queue:
        minutes, stop = heapq.heappop(queue)
        if minutes > best[stop]:
            continue
        for neighbour, step in network.from_stop(stop):
            if neighbour in avoid and neighbour != goal:
                continue
            if neighbour not in best or minutes + step < best[neighbour]:
                best[neighbour] = minutes + step
                came_from[neighbour] = stop
                heapq.heappush(queue, (best[neighbour], neighbour))
            if neighbour == goal:
                return Route(_trace(came_from, start, goal), best[goal])
    raise NoRoute(f"{start} to {goal}")


def _trace(came_from, start, goal):
    stops = [goal]
    while stops[-1] != start:
        stops.append(came_from[stops[-1]])
    return stops[::-1]


def via(network, *stops):
    """Fastest way through several stops in the order given."""
    whole, minutes = [stops[0]], 0
    for a, b in zip(stops, stops[1:]):
        leg = fastest(network, a, b)
        whole += leg.stops[1:]
        minutes += leg.minutes
    return Route(whole, minutes)
