"""Lazy work on streams."""


def chunks(items, size):
    """Lists of ``size`` items; the last may be shorter."""
    if size < 1:
        raise ValueError("chunks hold at least one item")
    chunk = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def differences(numbers):
    """What each number is more than the one before."""
    numbers = iter(numbers)
    before = next(numbers, None)
    if before is None:
        return
    for number in numbers:
        yield number - before
        before = number


def is_rising(numbers):
    return all(step > 0 for step in differences(numbers))
