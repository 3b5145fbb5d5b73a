"""Query strings as lists of pairs."""

from urllib.parse import quote_plus, unquote_plus


def parse_query(query):
    """List of (name, value) pairs, in order; empty values are kept.

    >>> parse_query("a=1&b=&a=x%20y")
    [('a', '1'), ('b', ''), ('a', 'x y')]
    """
    pairs = []
    for part in query.split("&"):
        if not part:
            continue
        name, _, value = part.partition("=")
        pairs.append((unquote_plus(name), unquote_plus(value)))
    return pairs


def build_query(pairs):
    """The query string of (name, value) pairs; values may be any objects."""
    return "&".join(
        f"{quote_plus(str(name))}={quote_plus(str(value))}" for name, value in pairs
    )


def as_list(value):
    """A list or tuple as a list, anything else as a list of one."""
    if isinstance(value, (list, tuple)):
        return list(value)
    return [value]
