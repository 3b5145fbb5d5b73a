"""The part the applications use."""

from pathlib import Path

from .escapes import escape
from .reader import parse

_TRUE = {"yes", "true", "on", "1"}
_FALSE = {"no", "false", "off", "0"}


class Document:
    def __init__(self, sections=None):
        self._sections = {"": {}}
        for name, pairs in (sections or {}).items():
            self._sections[name] = dict(pairs)

    @classmethod
    def from_text(cls, text):
        return cls(parse(text))

    def sections(self):
        return [name for name in self._sections if name]

    def get(self, section, key, default=None):
        return self._sections.get(section, {}).get(key, default)

    def get_bool(self, section, key, default=False):
        value = self.get(section, key)
        if value is None:
            return default
        if value.lower() in _TRUE:
            return True
        if value.lower() in _FALSE:
            return False
        raise ValueError(f"not a yes or no: {value!r}")

    def set(self, section, key, value):
        if not key:
            raise ValueError("empty key")
        self._sections.setdefault(section, {})[key] = str(value)

    def lines(self):
        for name, pairs in self._sections.items():
            if name:
                yield f"[{escape(name)}]"
            for key, value in pairs.items():
                yield f"{escape(key)} = {escape(value)}"

    def to_text(self):
        return "".join(line + "\n" for line in self.lines())


def load(path):
    return Document.from_text(Path(path).read_text(encoding="utf-8"))


def save(document, path):
    """Write to a neighbour file first, a crash must not leave half a file."""
    path = Path(path)
    temporary = path.with_suffix(path.suffix + ".tmp")
    temporary.write_text(document.to_text(), encoding="utf-8")
    temporary.replace(path)
