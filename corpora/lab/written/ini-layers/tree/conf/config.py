from .reader import parse

_TRUE = {"1", "yes", "true", "on"}
_FALSE = {"0", "no", "false", "off"}


class Config:
    def __init__(self, sections=None):
        self.sections = sections if sections is not None else {}

    @classmethod
    def from_text(cls, text):
        return cls(parse(text))

    def get(self, section, key, default=None):
        return self.sections.get(section.lower(), {}).get(key.lower(), default)

    def get_int(self, section, key, default=None):
        value = self.get(section, key)
        return default if value is None else int(value)

    def get_bool(self, section, key, default=None):
        value = self.get(section, key)
        if value is None:
            return default
        word = value.strip().lower()
        if word in _TRUE:
            return True
        if word in _FALSE:
            return False
        raise ValueError(f"not a yes/no value: {value!r}")

    def set(self, section, key, value):
        self.sections.setdefault(section.lower(), {})[key.lower()] = str(value)

    def merged(self, other):
        """A new Config with the values of both; those of `other` win."""
        result = dict(self.sections)
        for name, values in other.sections.items():
            result.setdefault(name, {}).update(values)
        return Config(result)

    def dump(self):
        lines = []
        for name, values in self.sections.items():
            if lines:
                lines.append("")
            lines.append(f"[{name}]")
            lines += [f"{key} = {value}" for key, value in values.items()]
        return "\n".join(lines) + "\n" if lines else ""
