from copy import deepcopy


class _Delete:
    def __repr__(self):
        return "DELETE"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


#: As a value in a layer: remove this key from the layers below.
DELETE = _Delete()


def merge(base: dict, layer: dict) -> dict:
    """Return a new dict with the values of layer put over base.

    Nested dicts are merged, everything else (lists too) is replaced.
    Neither argument is changed, and the result shares no dict or list
    with them.
    """
    result = dict(base)
    for key, value in layer.items():
        if value is DELETE:
            result.pop(key, None)
        elif isinstance(value, dict):
            below = result.get(key)
            result[key] = merge(below if isinstance(below, dict) else {}, value)
        else:
            result[key] = deepcopy(value)
    return result


def merge_all(layers) -> dict:
    """Merge many layers, the last one wins."""
    result: dict = {}
    for layer in layers:
        result = merge(result, layer)
    return result


def flatten(config: dict, prefix: str = "") -> dict:
    """{"a": {"b": 1}} -> {"a.b": 1}; an empty dict stays as a value."""
    flat = {}
    for key, value in config.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and value:
            flat.update(flatten(value, name + "."))
        else:
            flat[name] = value
    return flat
