import asyncio

import pytest

from eventbus import EventBus, Recorder, wait_for


def test_recorder():
    bus = EventBus()
    recorder = Recorder(bus, ["a", "b"], size=2)

    async def main():
        for n in range(3):
            await bus.publish("a", n)
        await bus.publish("c", 9)

    asyncio.run(main())
    assert recorder.items() == [("a", 1), ("a", 2)]
    recorder.close()
    assert bus.events() == []


def test_two_waiting_for_the_same_event():
    bus = EventBus()

    async def main():
        tasks = [asyncio.ensure_future(wait_for(bus, "a", 0.5)) for _ in range(2)]
        await asyncio.sleep(0)
        await bus.publish("a", "go")
        return await asyncio.gather(*tasks)

    assert asyncio.run(main()) == ["go", "go"]


def test_wait_timeout():
    bus = EventBus()
    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(wait_for(bus, "a", 0.01))
    assert bus.handlers("a") == []
