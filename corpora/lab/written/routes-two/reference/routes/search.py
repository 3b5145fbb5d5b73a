import heapq


class NoRoute(Exception):
    pass


def shortest(graph, start, goal):
    """Return (length, path) of the shortest way from start to goal.

    Raises KeyError for an unknown place and NoRoute when goal is out of reach.
    """
    for place in (start, goal):
        if place not in graph:
            raise KeyError(place)
    if start == goal:
        return 0, [start]
    queue = [(0, [start])]
    done = set()
    while queue:
        length, path = heapq.heappop(queue)
        here = path[-1]
        if here in done:
            continue
        if here == goal:
            return length, path
        done.add(here)
        for there, step in graph.neighbours(here):
            if there not in done:
                heapq.heappush(queue, (length + step, path + [there]))
    raise NoRoute(f"{start} -> {goal}")


def reachable(graph, start):
    """All places one can get to, the start included."""
    seen = {start}
    todo = [start]
    while todo:
        for there, _ in graph.neighbours(todo.pop()):
            if there not in seen:
                seen.add(there)
                todo.append(there)
    return seen
