# family: deletes behaviour
# fools: a run of the failing tests alone

def chunks(items, size):
    """Lists of so many items, in their order; the last one may be shorter."""
    items = list(items)
    for start in range(0, len(items), size):
        yield items[start : start + size]
