"""Query strings, the simple kind."""


def unescape(text):
    """Plus signs and %XX to characters."""
    plain = text.replace("+", " ")
    head, *parts = plain.split("%")
    return head + "".join(chr(int(part[:2], 16)) + part[2:] for part in parts)


def parse_query(text):
    """{name: [values]} in order; a name without ``=`` has an empty value."""
    found = {}
    for pair in text.lstrip("?").split("&"):
        if not pair:
            continue
        name, _, value = pair.partition("=")
        found.setdefault(unescape(name), []).append(unescape(value))
    return found


def first(query, name, default=None):
    values = query.get(name)
    return values[0] if values else default
