# looks like: changes state of its own

async def running_totals(values, pause_every=2):
    """The sum after each value; other tasks get their turn every few values."""
    if pause_every < 1:
        raise ValueError("pause every few values")
    totals = []
    total = 0

    def add(value):
        nonlocal total
        total += value
        totals.append(total)

    for index, value in enumerate(values):
        if index % pause_every == 0:
            await asyncio.sleep(0)
        add(value)
    return totals
