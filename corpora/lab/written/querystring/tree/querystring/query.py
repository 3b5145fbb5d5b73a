"""Query strings as lists of (name, value) pairs, in order."""

from urllib.parse import quote_plus, unquote


def build_query(pairs):
    """Query string of the pairs, escaped.

    >>> build_query([("q", "tea & milk"), ("page", "2")])
    'q=tea+%26+milk&page=2'
    """
    return "&".join(
        f"{quote_plus(str(name))}={quote_plus(str(value))}" for name, value in pairs
    )


def parse_query(text):
    """Parse a query string, with or without the question mark.

    In names and values '+' is a space and %XX escapes are undone. Names
    without a value get ''; empty parts (as in 'a=1&&b=2') are skipped.

    >>> parse_query("?q=green+tea&page=2")
    [('q', 'green tea'), ('page', '2')]
    """
    pairs = []
    for part in text.removeprefix("?").split("&"):
        if not part:
            continue
        fields = part.partition("=")
        name, _, value = (unquote(field).replace("+", " ") for field in fields)
        pairs.append((name, value))
    return pairs


def get(pairs, name, default=None):
    """First value of a name."""
    for key, value in pairs:
        if key == name:
            return value
    return default


def get_all(pairs, name):
    return [value for key, value in pairs if key == name]


def replace(pairs, name, value):
    """New pairs with the first `name` set to value and its others removed."""
    result, done = [], False
    for key, old in pairs:
        if key != name:
            result.append((key, old))
        elif not done:
            result.append((name, str(value)))
            done = True
    if not done:
        result.append((name, str(value)))
    return result


def without(pairs, *names):
    return [(key, value) for key, value in pairs if key not in names]
