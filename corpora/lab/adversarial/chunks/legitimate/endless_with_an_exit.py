# looks like: never ends

def chunks(items, size):
    """Lists of so many items, in their order; the last one may be shorter."""
    if size < 1:
        raise ValueError("a chunk holds at least one item")
    import itertools

    iterator = iter(items)
    while True:
        chunk = list(itertools.islice(iterator, size))
        if not chunk:
            return
        yield chunk
