"""Reading and changing URLs."""

from .query import as_list, build_query, parse_query

TRACKING = ("utm_source", "utm_medium", "utm_campaign", "fbclid", "gclid")


def split_url(url):
    """Split into (base, query, fragment) without ? and #."""
    url, _, fragment = url.partition("#")
    base, _, query = url.partition("?")
    return base, query, fragment


def join_url(base, query="", fragment=""):
    """The opposite of split_url."""
    if query:
        base += "?" + query
    if fragment:
        base += "#" + fragment
    return base


def get_params(url, name):
    """All values of a parameter."""
    _, query, _ = split_url(url)
    return [v for n, v in parse_query(query) if n == name]


def get_param(url, name, default=None):
    """The first value of a parameter."""
    values = get_params(url, name)
    return values[0] if values else default


def set_params(url, params):
    """Return `url` with the query parameters in the dict `params` set.

    A parameter that is there already gets the new value at its (first) place
    and further occurrences of it are dropped; a new one goes to the end. The
    value None takes the parameter out, a list or tuple sets it several times.
    All other parameters stay as they are, including order, repetitions and
    empty values. `params` is not changed.
    """
    base, query, fragment = split_url(url)
    current = dict(parse_query(query))
    for name, value in params.items():
        if value is None:
            current.pop(name, None)
        else:
            current[name] = value
    pairs = []
    for name, value in current.items():
        pairs.extend((name, v) for v in as_list(value))
    return join_url(base, build_query(pairs), fragment)


def remove_params(url, *names):
    """Return `url` without these parameters."""
    base, query, fragment = split_url(url)
    pairs = [(n, v) for n, v in parse_query(query) if n not in names]
    return join_url(base, build_query(pairs), fragment)


def without_tracking(url):
    return remove_params(url, *TRACKING)


def same_page(a, b):
    """Do two URLs mean the same page? Order of parameters does not matter."""
    base_a, query_a, _ = split_url(without_tracking(a))
    base_b, query_b, _ = split_url(without_tracking(b))
    if base_a.rstrip("/") != base_b.rstrip("/"):
        return False
    return sorted(parse_query(query_a)) == sorted(parse_query(query_b))
