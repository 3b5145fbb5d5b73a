"""Comma separated values, written by hand."""


def field(text):
    """One field, in quotes where it has to be; quotes within are doubled."""
    if any(mark in text for mark in ',"\n') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text


def record(values):
    return ",".join(field("" if value is None else str(value)) for value in values)


def split(line):
    """The fields of one line, as ``record`` writes them."""
    fields, text, quoted = [], "", False
    place = 0
    while place < len(line):
        letter = line[place]
        if letter == '"':
            quoted = not quoted
        elif letter == "," and not quoted:
            fields.append(text)
            text = ""
        else:
            text += letter
        place += 1
    return [*fields, text]
