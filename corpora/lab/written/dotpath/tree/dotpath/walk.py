from dotpath.access import update
from dotpath.paths import join


def leaves(data, steps=()):
    """Yield (steps, value) of everything that is not a non-empty container."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from leaves(value, steps + (key,))
    elif isinstance(data, list) and data:
        for index, value in enumerate(data):
            yield from leaves(value, steps + (index,))
    else:
        yield steps, data


def flatten(data):
    """{path: leaf value} of a dictionary."""
    return {join(steps): value for steps, value in leaves(data)}


def unflatten(flat):
    """The inverse of flatten()."""
    data = {}
    for path, value in flat.items():
        update(data, path, value)
    return data
