from .merge import merge_all
from .parse import parse_lines

DEFAULTS = {
    "server": {"host": "localhost", "port": 8000, "tags": []},
    "log": {"level": "info", "targets": ["stderr"]},
    "debug": False,
}

_MISSING = object()


class Settings:
    """Merged settings with dotted access."""

    def __init__(self, *layers: dict):
        self.data = merge_all([DEFAULTS, *layers])

    @classmethod
    def from_text(cls, *texts: str) -> "Settings":
        return cls(*(parse_lines(text) for text in texts))

    def get(self, name: str, default=_MISSING):
        place = self.data
        for part in name.split("."):
            if not isinstance(place, dict) or part not in place:
                if default is _MISSING:
                    raise KeyError(name)
                return default
            place = place[part]
        return place

    def set(self, name: str, value) -> None:
        *parents, last = name.split(".")
        place = self.data
        for part in parents:
            place = place.setdefault(part, {})
        place[last] = value
