"""Histograms with bins of equal width."""


def histogram(numbers, bins, low=None, high=None):
    """Counts for each bin between ``low`` and ``high`` (the extremes by default); the last bin holds its upper end.

    Numbers outside are left out.
    """
    if bins < 1:
        raise ValueError("a histogram has at least one bin")
    numbers = list(numbers)
    counts = [0] * bins
    if not numbers:
        return counts
    low = min(numbers) if low is None else low
    high = max(numbers) if high is None else high

    def bin_of(number):
        if high == low:
            return 0
        place = int((number - low) * bins / (high - low))
        return min(place, bins) - 1

    for number in numbers:
        if low <= number <= high:
            counts[bin_of(number)] += 1
    return counts


def bars(counts, width=20):
    """One line of stars for each count, the largest as wide as allowed."""
    most = max(counts, default=0)
    return ["*" * (count * width // most if most else 0) for count in counts]
