from .layers import from_environment, merged
from .parser import parse

_MISSING = object()


class Config:
    """Values by section and key, or by "section.key"."""

    DEFAULTS = {"": {"name": "app", "debug": False}, "server": {"port": 80, "host": "localhost"}}

    def __init__(self, *texts, environ=None):
        layers = [parse(t) for t in texts]
        if environ:
            layers.append(from_environment(environ))
        self._data = merged(self.DEFAULTS, *layers)

    def get(self, path, default=_MISSING):
        section, _, key = path.rpartition(".")
        try:
            return self._data[section][key]
        except KeyError:
            if default is _MISSING:
                raise KeyError(path) from None
            return default

    def section(self, name):
        return dict(self._data.get(name, {}))

    def sections(self):
        return sorted(s for s in self._data if s)
