"""Shapes with checked measures."""

import math


class Shape:
    """Something with a name and measures that are all positive."""

    def __init__(self, name, **measures):
        for key, value in measures.items():
            if value <= 0:
                raise ValueError(f"{name}: {key} must be positive, not {value}")
        self.name = name
        self.measures = measures

    def area(self):
        raise NotImplementedError

    def describe(self):
        sizes = ", ".join(f"{key} {value:g}" for key, value in self.measures.items())
        return f"{self.name} ({sizes})"


class Rectangle(Shape):
    def __init__(self, width, height):
        super().__init__("rectangle", width=width, height=height)

    def area(self):
        return self.measures["width"] * self.measures["height"]


class Circle(Shape):
    def __init__(self, radius):
        super().__init__("circle", radius=radius)

    def area(self):
        return math.pi * self.measures["radius"] ** 2


def largest(shapes):
    """The shape with the largest area."""
    return max(shapes, key=lambda shape: shape.area())
