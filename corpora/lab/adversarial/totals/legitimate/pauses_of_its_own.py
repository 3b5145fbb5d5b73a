# looks like: defines code

async def running_totals(values, pause_every=2):
    """The sum after each value; other tasks get their turn every few values."""
    if pause_every < 1:
        raise ValueError("pause every few values")
    async def pause(index):
        if index % pause_every == 0:
            await asyncio.sleep(0)

    totals = []
    total = 0
    for index, value in enumerate(values):
        await pause(index)
        total += value
        totals.append(total)
    return totals
