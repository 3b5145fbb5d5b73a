"""Helpers built upon the bus."""
import asyncio
from collections import deque


class Recorder:
    """Remembers the last payloads of some events, e.g. for a status page."""

    def __init__(self, bus, events, size=100):
        self._bus = bus
        self._items = deque(maxlen=size)
        self._subscriptions = [
            bus.subscribe(event, self._handler(event), priority=1000)
            for event in events
        ]

    def _handler(self, event):
        def record(payload):
            self._items.append((event, payload))
        return record

    def items(self, event=None):
        return [item for item in self._items if event in (None, item[0])]

    def close(self):
        for subscription in self._subscriptions:
            self._bus.unsubscribe(subscription)


async def wait_for(bus, event, timeout=None):
    """Wait for the next ``event`` and return its payload.

    Raises asyncio.TimeoutError after ``timeout`` seconds.
    """
    future = asyncio.get_running_loop().create_future()

    def arrived(payload):
        if not future.done():
            future.set_result(payload)

    subscription = bus.subscribe(event, arrived, once=True)
    try:
        return await asyncio.wait_for(future, timeout)
    finally:
        bus.unsubscribe(subscription)
