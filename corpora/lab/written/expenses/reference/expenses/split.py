"""Ways to split an expense among friends."""


def split_evenly(cents: int, people: list[str]) -> dict[str, int]:
    """Split an amount evenly; refunds are negative amounts.

    The shares add up to the amount and differ by one cent at the most.
    Cents left over go one each to the people named first.
    """
    if not people:
        raise ValueError("nobody to split with")
    share, extra = divmod(cents, len(people))
    return {person: share + (i < extra) for i, person in enumerate(people)}


def split_by_weight(cents: int, weights: dict[str, int]) -> dict[str, int]:
    """Split by weights, such as nights stayed; the largest remainders round up."""
    total = sum(weights.values())
    if total <= 0:
        raise ValueError("weights must add up to more than zero")
    shares = {person: cents * weight // total for person, weight in weights.items()}
    left = cents - sum(shares.values())
    by_remainder = sorted(weights, key=lambda p: -(cents * weights[p] % total))
    for person in by_remainder[:left]:
        shares[person] += 1
    return shares
