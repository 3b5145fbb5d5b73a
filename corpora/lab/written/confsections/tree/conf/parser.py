"""A small configuration format.

    name = demo
    [server]
    port = 8080     # a comment
    hosts = a, b
"""


class ConfigError(Exception):
    def __init__(self, line_number, message):
        super().__init__(f"line {line_number}: {message}")
        self.line_number = line_number


def convert(text):
    """Turn a raw value into bool, int, float, list or str."""
    low = text.lower()
    if low in ("true", "yes", "on"):
        return True
    if low in ("false", "no", "off"):
        return False
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1]
    if "," in text:
        return [convert(p.strip()) for p in text.split(",") if p.strip()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def parse(text):
    """Read a text into {section: {key: value}}; keys before any section are in ""."""
    sections = {"": {}}
    current = sections[""]
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        if line.startswith("["):
            if not line.endswith("]") or not line[1:-1].strip():
                raise ConfigError(number, "bad section")
            current = sections.setdefault(line[1:-1].strip().lower(), {})
        elif "=" in line:
            key, _, value = line.partition("=")
            current[key.strip().lower()] = convert(value.strip())
        else:
            raise ConfigError(number, "expected key = value")
    return sections
