import asyncio

from eventbus import EventBus


def publish(bus, event, payload=None):
    return asyncio.run(bus.publish(event, payload))


def test_sync_and_async_handlers():
    bus = EventBus()

    async def double(x):
        await asyncio.sleep(0)
        return 2 * x

    bus.subscribe("n", lambda x: x + 1)
    bus.subscribe("n", double)
    assert publish(bus, "n", 5) == [6, 10]


def test_nobody_listens():
    assert publish(EventBus(), "n") == []


def test_priority():
    bus = EventBus()
    bus.subscribe("n", lambda _: "low", priority=-1)
    bus.subscribe("n", lambda _: "first")
    bus.subscribe("n", lambda _: "second")
    bus.subscribe("n", lambda _: "high", priority=5)
    assert publish(bus, "n") == ["high", "first", "second", "low"]


def test_once():
    bus = EventBus()
    bus.subscribe("n", lambda x: x, once=True)
    assert publish(bus, "n", 1) == [1]
    assert publish(bus, "n", 2) == []
    assert bus.events() == []


def test_once_handlers_side_by_side():
    bus = EventBus()
    bus.subscribe("n", lambda x: "a", once=True)
    bus.subscribe("n", lambda x: "b", once=True)
    bus.subscribe("n", lambda x: "c")
    assert publish(bus, "n") == ["a", "b", "c"]
    assert publish(bus, "n") == ["c"]


def test_unsubscribe():
    bus = EventBus()
    subscription = bus.subscribe("n", print)
    assert bus.unsubscribe(subscription)
    assert not bus.unsubscribe(subscription)
    assert bus.handlers("n") == []


def test_failing_handler():
    errors = []
    bus = EventBus(on_error=lambda *args: errors.append(args))
    bad = bus.subscribe("n", lambda x: 1 / x)
    bus.subscribe("n", lambda x: "fine")
    assert publish(bus, "n", 0) == ["fine"]
    assert errors[0][:2] == ("n", bad)


def test_decorator():
    bus = EventBus()

    @bus.on("n", once=True)
    def handler(payload):
        return payload

    assert bus.handlers("n") == [handler]
