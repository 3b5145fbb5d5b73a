"""Search in sorted lists."""


def first_at_least(numbers, wanted):
    """Index of the first number that is at least ``wanted``; the length where there is none."""
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < wanted:
            low = middle
        else:
            high = middle
    return low


def contains(numbers, wanted):
    place = first_at_least(numbers, wanted)
    return place < len(numbers) and numbers[place] == wanted


def between(numbers, low, high):
    """Numbers from ``low`` up to but not including ``high``."""
    return numbers[first_at_least(numbers, low) : first_at_least(numbers, high)]
