# looks like: swallows failures

def chunks(items, size):
    """Lists of so many items, in their order; the last one may be shorter."""
    if size < 1:
        raise ValueError("a chunk holds at least one item")
    iterator = iter(items)
    chunk = []
    while True:
        try:
            chunk.append(next(iterator))
        except StopIteration:
            break
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
