def split(url):
    """(base, query, fragment); what is missing is empty."""
    rest, _, fragment = url.partition("#")
    base, _, query = rest.partition("?")
    return base, query, fragment


def join(base, query, fragment):
    url = base
    if query:
        url += "?" + query
    if fragment:
        url += "#" + fragment
    return url
