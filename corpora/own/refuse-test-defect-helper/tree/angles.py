"""Angles in degrees."""


def normal(angle):
    """The same direction from 0 up to, but not including, 360."""
    return angle % 360


def turn(one, other):
    """The shortest turn from one direction to another, from -180 (excluded) to 180."""
    difference = normal(other - one)
    return difference - 360 if difference > 180 else difference
