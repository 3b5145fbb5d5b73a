"""Statistics on plain lists of numbers."""
import math


def mean(values):
    if not values:
        raise ValueError("mean of nothing")
    return sum(values) / len(values)


def variance(values):
    """Sample variance (n - 1); needs at least two values."""
    if len(values) < 2:
        raise ValueError("variance needs two values")
    m = mean(values)
    return sum((v - m) ** 2 for v in values) / (len(values) - 1)


def stdev(values):
    return math.sqrt(variance(values))


def median(values):
    if not values:
        raise ValueError("median of nothing")
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2
