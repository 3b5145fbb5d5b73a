def waiting_summary(delivered):
    """Mean and longest delivery time.

    >>> waiting_summary([(2, "a"), (4, "b")])
    {'count': 2, 'mean': 3.0, 'longest': 'b'}
    """
    if not delivered:
        return {"count": 0, "mean": 0.0, "longest": None}
    times = [clock for clock, _ in delivered]
    return {
        "count": len(times),
        "mean": round(sum(times) / len(times), 2),
        "longest": max(delivered)[1],
    }
