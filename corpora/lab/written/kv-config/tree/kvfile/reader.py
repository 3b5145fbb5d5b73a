"""Text to sections."""

from .escapes import split_pair, unescape


class FormatError(ValueError):
    def __init__(self, number, message):
        super().__init__(f"line {number}: {message}")
        self.number = number


def parse(text):
    """Return {section: {key: value}}; keys before any header are in section "".

    Later values win over earlier ones with the same key.
    """
    sections = {"": {}}
    current = sections[""]
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise FormatError(number, "section header is not closed")
            current = sections.setdefault(unescape(line[1:-1].strip()), {})
            continue
        pair = split_pair(line)
        if pair is None:
            raise FormatError(number, "neither header nor key = value")
        key, value = pair
        if not key:
            raise FormatError(number, "key is missing")
        current[unescape(key)] = unescape(value)
    return sections
