"""Reader for a small INI dialect.

    ; comment
    [section]
    key = value

Section names and keys are case-insensitive, values keep their case.
"""


class ParseError(ValueError):
    def __init__(self, lineno, message):
        super().__init__(f"line {lineno}: {message}")
        self.lineno = lineno


def parse(text):
    sections = {}
    current = None
    for lineno, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line[0] in ";#":
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise ParseError(lineno, "unclosed section header")
            name = line[1:-1].strip().lower()
            current = sections.setdefault(name, {})
            continue
        if current is None:
            raise ParseError(lineno, "key outside of a section")
        key, sep, value = line.partition("=")
        if not sep:
            raise ParseError(lineno, "expected key = value")
        current[key.strip().lower()] = unquote(value.strip())
    return sections


def unquote(value):
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
