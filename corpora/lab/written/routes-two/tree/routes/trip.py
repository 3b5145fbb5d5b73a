from .search import shortest


def tour(graph, stops):
    """The shortest way through the stops in their order."""
    if not stops:
        return 0, []
    total, path = 0, [stops[0]]
    for a, b in zip(stops, stops[1:]):
        length, leg = shortest(graph, a, b)
        total += length
        path += leg[1:]
    return total, path


def describe(graph, path):
    parts = [path[0]]
    for a, b in zip(path, path[1:]):
        parts.append(f"-{graph.length([a, b])}-> {b}")
    return " ".join(parts)
