# looks like: defines code

def chunks(items, size):
    """Lists of so many items, in their order; the last one may be shorter."""
    if size < 1:
        raise ValueError("a chunk holds at least one item")
    def rest(left):
        if left:
            yield left

    chunk = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    yield from rest(chunk)
