"""Query strings as lists of (name, value) pairs."""
from urllib.parse import quote_plus, unquote_plus

from .parts import join, split


def decode(query):
    """Split 'a=1&b=' into pairs; a name without '=' has an empty value."""
    pairs = []
    for piece in query.split("&"):
        if piece:
            name, _, value = piece.partition("=")
            pairs.append((unquote_plus(name), unquote_plus(value)))
    return pairs


def encode(pairs):
    return "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in pairs)


def to_text(value):
    """How a value is written: booleans in lower case, the rest by str()."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def update_query(url, changes):
    """Return the URL with parameters set or removed.

    `changes` maps names to new values.  None removes the parameter, a list or
    tuple gives it once for every item, anything else is written once by
    to_text(); so 0, False and the empty string are values like any other.
    A parameter that is there already is replaced where it first stood, new
    ones are added at the end.  All others, and the fragment, stay as they are.

    >>> update_query("/find?q=a&page=3", {"page": 4, "sort": "name"})
    '/find?q=a&page=4&sort=name'
    """
    base, query, fragment = split(url)
    pending = dict(changes)
    pairs = []
    for name, value in decode(query):
        if name not in changes:
            pairs.append((name, value))
        elif name in pending:
            pairs += _spread(name, pending.pop(name))
    for name, value in pending.items():
        pairs += _spread(name, value)
    return join(base, encode(pairs), fragment)


def _spread(name, value):
    if value is None:
        return []
    if isinstance(value, (list, tuple)):
        return [(name, to_text(item)) for item in value]
    return [(name, to_text(value))]
