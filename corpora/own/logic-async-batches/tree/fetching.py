"""Fetch many things a few at a time."""

import asyncio


class Source:
    """Answers after a while; knows how many asked at once."""

    def __init__(self, values, fails=()):
        self.values = values
        self.fails = set(fails)
        self.now = self.most = 0

    async def get(self, key):
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        self.now -= 1
        if key in self.fails:
            raise ConnectionResetError(key)
        return self.values[key]


async def fetch_all(source, keys, at_once=3):
    """{key: value} of all keys, at most so many at once; failures are left out."""
    found = {}
    keys = list(keys)
    for start in range(0, len(keys), at_once):
        batch = keys[start : start + at_once]
        answers = await asyncio.gather(*(source.get(key) for key in batch), return_exceptions=True)
        for key, answer in zip(keys, answers):
            if not isinstance(answer, Exception):
                found[key] = answer
    return found


async def fetch_first(source, keys):
    """The first value that can be had, in the order of the keys; None where there is none."""
    for key in keys:
        try:
            return await source.get(key)
        except ConnectionError:
            continue
    return None
