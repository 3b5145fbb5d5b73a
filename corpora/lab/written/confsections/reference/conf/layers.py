"""Putting several configurations on top of each other."""


def merged(*layers):
    """One configuration from several; later layers win key by key.

    Sections are joined. The layers themselves are never changed, and none
    of their sections is shared with the result.
    """
    result = {}
    for layer in layers:
        for section, values in layer.items():
            if section in result:
                result[section].update(values)
            else:
                result[section] = dict(values)
    return result


def from_environment(environ, prefix="APP_"):
    """Overrides such as APP_SERVER__PORT=80 as a layer."""
    from .parser import convert

    layer = {}
    for name, value in environ.items():
        if not name.startswith(prefix):
            continue
        section, sep, key = name[len(prefix):].lower().rpartition("__")
        layer.setdefault(section, {})[key] = convert(value)
    return layer
