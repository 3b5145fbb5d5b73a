MAX_DELAY = 3600


def delay(every, failures):
    """Seconds until the next try: doubles with each failure in a row.

    >>> delay(10, 0)
    10
    >>> delay(10, 2)
    40
    """
    return min(every * 2 ** failures, max(MAX_DELAY, every))
