"""Sliding windows."""

from itertools import islice


def windows(items, size, step=1):
    """Tuples of ``size`` neighbours, each ``step`` further on; lazily, and only full ones."""
    if size < 1 or step < 1:
        raise ValueError("size and step are at least 1")
    items = iter(items)
    window = list(islice(items, size))
    while len(window) == size:
        yield tuple(window)
        if step < size:
            window = window[step:] + list(islice(items, step))
        else:
            window = list(islice(items, step - size, step))


def pairs(items):
    return list(windows(items, 2))


def local_peaks(numbers):
    """Numbers that are larger than both neighbours."""
    return [b for a, b, c in windows(numbers, 3) if a < b > c]
