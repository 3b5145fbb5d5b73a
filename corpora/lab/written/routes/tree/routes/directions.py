def directions(network, route):
    """Human readable lines for a route."""
    lines = []
    for a, b in zip(route.stops, route.stops[1:]):
        lines.append(f"{a} -> {b}: {network.minutes(a, b)} min")
    lines.append(f"arrive after {duration(route.minutes)}")
    return lines


def duration(minutes):
    hours, rest = divmod(minutes, 60)
    if not hours:
        return f"{rest} min"
    return f"{hours} h {rest:02d} min"
