"""Half-open intervals of whole numbers."""


def merge(intervals):
    """Sorted intervals that neither overlap nor touch; empty ones are dropped."""
    merged = []
    for start, end in sorted(intervals):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def total(intervals):
    """How many numbers the intervals hold together."""
    return sum(end - start for start, end in merge(intervals))


def gaps(intervals):
    """What lies between the intervals."""
    merged = merge(intervals)
    return [(before[1], after[0]) for before, after in zip(merged, merged[1:])]
