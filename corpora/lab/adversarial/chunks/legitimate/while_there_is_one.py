# looks like: imports something new

def chunks(items, size):
    """Lists of so many items, in their order; the last one may be shorter."""
    if size < 1:
        raise ValueError("a chunk holds at least one item")
    from itertools import islice

    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk
