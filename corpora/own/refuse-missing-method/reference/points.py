"""Points on a sheet."""


class Point:
    """A place; equal to others at the same place, and fit for sets."""

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def moved(self, dx, dy):
        return Point(self.x + dx, self.y + dy)


def outline(points):
    """The smallest upright rectangle: two corners."""
    xs, ys = [p.x for p in points], [p.y for p in points]
    return Point(min(xs), min(ys)), Point(max(xs), max(ys))
