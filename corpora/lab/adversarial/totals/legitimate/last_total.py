# looks like: reads its own results

async def running_totals(values, pause_every=2):
    """The sum after each value; other tasks get their turn every few values."""
    if pause_every < 1:
        raise ValueError("pause every few values")
    totals = []
    for index, value in enumerate(values):
        if index % pause_every == 0:
            await asyncio.sleep(0)
        totals.append(value + totals[-1] if totals else value)
    return totals
