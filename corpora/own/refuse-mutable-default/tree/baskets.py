"""Baskets of things."""


def basket(things, start=[]):
    """A list of things, added to ``start`` (which is changed and given back) where there is one."""
    for thing in things:
        if thing not in start:
            start.append(thing)
    return start


def weigh(things, weights):
    return sum(weights.get(thing, 0) for thing in things)
