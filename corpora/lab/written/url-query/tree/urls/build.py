from urllib.parse import quote

from .parts import join, split


def join_path(base, *segments):
    """Append path segments, each quoted, with single slashes between.

    >>> join_path("https://x.org/api/", "a b", 7)
    'https://x.org/api/a%20b/7'
    """
    root, query, fragment = split(base)
    path = root.rstrip("/")
    for segment in segments:
        text = str(segment).strip("/")
        if text:
            path += "/" + quote(text, safe="")
    return join(path, query, fragment)


def with_fragment(url, fragment):
    base, query, _ = split(url)
    return join(base, query, fragment)


def page_links(url, page, last):
    """URLs of the previous and the next page; None where there is none."""
    from .query import update_query

    before = update_query(url, {"page": page - 1}) if page > 1 else None
    after = update_query(url, {"page": page + 1}) if page < last else None
    return before, after
