# looks like: imports something new

async def running_totals(values, pause_every=2):
    """The sum after each value; other tasks get their turn every few values."""
    if pause_every < 1:
        raise ValueError("pause every few values")
    import itertools

    totals = []
    for index, total in enumerate(itertools.accumulate(values)):
        if index % pause_every == 0:
            await asyncio.sleep(0)
        totals.append(total)
    return totals
