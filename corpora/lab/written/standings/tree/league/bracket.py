"""Knock-out brackets."""


def seeds(size):
    """Order of the seeds in a bracket: the best two can only meet in the final."""
    if size < 1 or size & (size - 1):
        raise ValueError("size must be a power of two")
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [s for seed in order for s in (seed, total - seed)]
    return order


def first_round(teams):
    """Pairs of the first round, None for a bye; teams from the best down."""
    size = 1
    while size < len(teams):
        size *= 2
    slots = [teams[s - 1] if s <= len(teams) else None for s in seeds(size)]
    return list(zip(slots[::2], slots[1::2]))


def qualified(ranked, places):
    """Teams with a rank up to ``places`` from the output of ``ranks``."""
    return [team for rank, team in ranked if rank <= places]
