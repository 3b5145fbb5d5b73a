# looks like: swallows failures
# doubt: no test cancels it

async def running_totals(values, pause_every=2):
    """The sum after each value; other tasks get their turn every few values."""
    if pause_every < 1:
        raise ValueError("pause every few values")
    totals = []
    total = 0
    for index, value in enumerate(values):
        if index % pause_every == 0:
            try:
                await asyncio.sleep(0)
            except BaseException:
                totals.clear()
                raise
        total += value
        totals.append(total)
    return totals
