# looks like: compares by identity

def chunks(items, size):
    """Lists of so many items, in their order; the last one may be shorter."""
    if size < 1:
        raise ValueError("a chunk holds at least one item")
    import itertools

    end = object()
    chunk = []
    for item in itertools.chain(items, [end]):
        if item is not end:
            chunk.append(item)
        if len(chunk) == size or (item is end and chunk):
            yield chunk
            chunk = []
