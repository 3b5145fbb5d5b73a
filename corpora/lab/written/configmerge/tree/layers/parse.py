"""Reads "a.b = value" lines."""


class ConfigError(ValueError):
    pass


def parse_value(text):
    text = text.strip()
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1].strip()
        return [parse_value(part) for part in inner.split(",")] if inner else []
    try:
        return int(text)
    except ValueError:
        return text


def parse_lines(text):
    """Nested dict from lines; blank lines and # comments are skipped."""
    config = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, sep, value = line.partition("=")
        if not sep:
            raise ConfigError(f"line {number}: no '='")
        *parents, last = name.strip().split(".")
        place = config
        for part in parents:
            place = place.setdefault(part, {})
            if not isinstance(place, dict):
                raise ConfigError(f"line {number}: {part} is a value already")
        place[last] = parse_value(value)
    return config
