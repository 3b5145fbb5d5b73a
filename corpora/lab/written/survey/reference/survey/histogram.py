"""Histogram and averages for numeric answers."""

from bisect import bisect_left, bisect_right


def even_edges(low, high, bins):
    """Edges of `bins` equally wide bins between low and high."""
    if bins < 1:
        raise ValueError("need at least one bin")
    if high <= low:
        raise ValueError("high must be above low")
    width = (high - low) / bins
    return [low + i * width for i in range(bins)] + [high]


def bin_counts(values, edges):
    """Count the values that fall in each bin.

    Bins are half open, [edges[i], edges[i + 1]), except for the last one
    which contains its right edge as well. Values outside the edges are
    ignored.
    """
    counts = [0] * (len(edges) - 1)
    for value in values:
        if edges[0] <= value <= edges[-1]:
            i = bisect_right(edges, value, hi=len(counts)) - 1
            counts[i] += 1
    return counts


def bin_labels(edges):
    """Readable labels such as '0-5' for each bin."""
    return [f"{low:g}-{high:g}" for low, high in zip(edges, edges[1:])]


def mean(values):
    values = list(values)
    if not values:
        raise ValueError("mean of no values")
    return sum(values) / len(values)


def median(values):
    ordered = sorted(values)
    if not ordered:
        raise ValueError("median of no values")
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def percentile_rank(values, value):
    """Percentage of the values that are below the given one."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("rank among no values")
    return 100 * bisect_left(ordered, value) / len(ordered)
