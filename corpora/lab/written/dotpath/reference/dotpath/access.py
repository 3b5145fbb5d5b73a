from dotpath.paths import PathError, join, split

_missing = object()


def _child(node, step):
    """The value below *node*, or _missing."""
    if isinstance(step, int):
        if isinstance(node, list) and step < len(node):
            return node[step]
    elif isinstance(node, dict):
        return node.get(step, _missing)
    return _missing


def get(data, path, default=None):
    """The value at *path*, or *default* when there is none. The empty path is *data* itself."""
    node = data
    for step in split(path):
        node = _child(node, step)
        if node is _missing:
            return default
    return node


def exists(data, path):
    return get(data, path, _missing) is not _missing


def update(data, path, value):
    """Set the value at *path* in place and return *data*.

    Containers that are missing on the way (or None) are made: a list where the
    path goes on with an index, otherwise a dictionary. Lists that are too short
    are filled up with None. Other values that are in the way are not replaced: PathError.

    >>> update({}, "users[1].name", "kim")
    {'users': [None, {'name': 'kim'}]}
    """
    steps = split(path)
    if not steps:
        raise PathError("cannot replace the root")
    node = data
    for position, step in enumerate(steps):
        _check(node, steps[:position], step)
        if isinstance(step, int):
            while len(node) <= step:
                node.append(None)
        if position == len(steps) - 1:
            node[step] = value
            break
        below = node.get(step) if isinstance(node, dict) else node[step]
        if below is None:
            below = [] if isinstance(steps[position + 1], int) else {}
            node[step] = below
        node = below
    return data


def _check(node, done, step):
    wanted = list if isinstance(step, int) else dict
    if not isinstance(node, wanted):
        where = join(done) or "the root"
        raise PathError(f"{where} is not a {wanted.__name__}")


def delete(data, path):
    """Take the value at *path* out (later list items move up) and return it; PathError if missing."""
    steps = split(path)
    if not steps:
        raise PathError("cannot delete the root")
    parent = get(data, join(steps[:-1]))
    value = _child(parent, steps[-1])
    if value is _missing:
        raise PathError(f"nothing at {path}")
    del parent[steps[-1]]
    return value
