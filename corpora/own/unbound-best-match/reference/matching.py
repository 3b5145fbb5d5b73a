"""Find the closest known word."""


def distance(one, other):
    """How many letters must be added, removed or replaced."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            cost = previous + (a != b)
            previous = row[j]
            row[j] = min(cost, row[j] + 1, row[j - 1] + 1)
    return row[-1]


def closest(word, known, most=2):
    """The known word with the smallest distance, the first among equals; None where all are further than ``most``."""
    best = None
    least = most + 1
    for candidate in known:
        d = distance(word, candidate)
        if d < least:
            best, least = candidate, d
    return best


def suggestion(word, known):
    """A sentence about an unknown word."""
    found = closest(word, known)
    return f"unknown word {word!r}" + (f", did you mean {found!r}?" if found else "")
