"""Plane geometry built on the determinant."""
from .matrix import determinant, solve


def orientation(a, b, c):
    """1 if a, b, c turn left (counterclockwise), -1 if right, 0 if in line."""
    d = determinant([[1, a[0], a[1]], [1, b[0], b[1]], [1, c[0], c[1]]])
    return (d > 0) - (d < 0)


def triangle_area(a, b, c):
    d = determinant([[1, a[0], a[1]], [1, b[0], b[1]], [1, c[0], c[1]]])
    return abs(d) / 2


def parabola_through(points):
    """Coefficients (a, b, c) of y = a*x*x + b*x + c through three points."""
    if len(points) != 3:
        raise ValueError("three points are needed")
    matrix = [[x * x, x, 1] for x, _ in points]
    return tuple(solve(matrix, [y for _, y in points]))
