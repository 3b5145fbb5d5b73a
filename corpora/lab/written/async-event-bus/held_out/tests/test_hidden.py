import asyncio

import pytest

from eventbus import EventBus, Recorder, wait_for


@pytest.fixture
def errors():
    return []


@pytest.fixture
def bus(errors):
    return EventBus(on_error=lambda *args: errors.append(args))


def publish(bus, event="n", payload=None):
    return asyncio.run(bus.publish(event, payload))


def test_once_then_permanent(bus):
    bus.subscribe("n", lambda _: "a", once=True)
    bus.subscribe("n", lambda _: "b")
    assert publish(bus) == ["a", "b"]
    assert publish(bus) == ["b"]


def test_many_once(bus):
    subs = [bus.subscribe("n", lambda _, i=i: i, once=True) for i in range(5)]
    assert publish(bus) == [0, 1, 2, 3, 4]
    assert publish(bus) == []
    assert not any(s.active for s in subs)
    assert bus.events() == []


def test_once_with_priorities(bus):
    bus.subscribe("n", lambda _: "low", once=True, priority=-1)
    bus.subscribe("n", lambda _: "mid")
    bus.subscribe("n", lambda _: "high", once=True, priority=1)
    assert publish(bus) == ["high", "mid", "low"]


def test_handler_ends_itself(bus):
    def a(_):
        bus.unsubscribe(sub)
        return "a"

    sub = bus.subscribe("n", a)
    bus.subscribe("n", lambda _: "b")
    assert publish(bus) == ["a", "b"]
    assert publish(bus) == ["b"]


def test_handler_ends_an_earlier_one(bus):
    first = bus.subscribe("n", lambda _: "first")
    bus.subscribe("n", lambda _: bus.unsubscribe(first))
    bus.subscribe("n", lambda _: "third")
    assert publish(bus) == ["first", True, "third"]
    assert publish(bus) == [False, "third"]


def test_handler_ends_a_later_one(bus):
    bus.subscribe("n", lambda _: bus.unsubscribe(later))
    later = bus.subscribe("n", lambda _: "later")
    bus.subscribe("n", lambda _: "last")
    assert publish(bus) == [True, "last"]


def test_handler_ends_a_later_once(bus):
    bus.subscribe("n", lambda _: bus.unsubscribe(later))
    later = bus.subscribe("n", lambda _: "later", once=True)
    assert publish(bus) == [True]
    assert bus.handlers("n") != [] and not later.active


def test_ended_while_another_handler_sleeps(bus):
    async def slow(_):
        await asyncio.sleep(0.01)
        return "slow"

    bus.subscribe("n", slow)
    later = bus.subscribe("n", lambda _: "later")

    async def main():
        task = asyncio.ensure_future(bus.publish("n"))
        await asyncio.sleep(0)
        bus.unsubscribe(later)
        return await task

    assert asyncio.run(main()) == ["slow"]


def test_subscribed_meanwhile_gets_the_next_event(bus):
    def a(_):
        if len(bus.handlers("n")) == 1:
            bus.subscribe("n", lambda _: "new")
        return "a"

    bus.subscribe("n", a)
    assert publish(bus) == ["a"]
    assert publish(bus) == ["a", "new"]


def test_subscribed_meanwhile_with_high_priority(bus):
    calls = []

    def a(_):
        calls.append("a")
        if len(calls) == 1:
            bus.subscribe("n", lambda _: calls.append("new"), priority=9)

    bus.subscribe("n", a)
    bus.subscribe("n", lambda _: calls.append("b"))
    publish(bus)
    assert calls == ["a", "b"]
    publish(bus)
    assert calls == ["a", "b", "new", "a", "b"]


def test_once_handler_subscribes_itself_again(bus):
    calls = []

    def a(_):
        calls.append("a")
        if len(calls) < 10:
            bus.subscribe("n", a, once=True)

    bus.subscribe("n", a, once=True)
    publish(bus)
    assert calls == ["a"]
    publish(bus)
    assert calls == ["a", "a"]


def test_once_handler_that_publishes_again(bus):
    calls = []

    async def a(payload):
        calls.append(payload)
        if payload < 3:
            await bus.publish("n", payload + 1)

    bus.subscribe("n", a, once=True)
    publish(bus, payload=0)
    assert calls == [0]


def test_nested_publish_uses_up_a_later_once(bus):
    calls = []

    async def outer(payload):
        if payload == "out":
            await bus.publish("n", "in")

    bus.subscribe("n", outer)
    bus.subscribe("n", calls.append, once=True)
    publish(bus, payload="out")
    assert calls == ["in"]


def test_once_ends_before_the_call(bus):
    seen = []
    sub = bus.subscribe("n", lambda _: seen.append((sub.active, bus.handlers("n"))), once=True)
    publish(bus)
    assert seen == [(False, [])]


def test_failing_once_has_ended(bus, errors):
    sub = bus.subscribe("n", lambda _: 1 / 0, once=True)
    bus.subscribe("n", lambda _: "b")
    assert publish(bus) == ["b"]
    assert publish(bus) == ["b"]
    assert len(errors) == 1
    assert errors[0][1] is sub and isinstance(errors[0][2], ZeroDivisionError)


def test_one_after_the_other(bus):
    trace = []

    def make(name, delay):
        async def handler(_):
            trace.append(name + " begins")
            await asyncio.sleep(delay)
            trace.append(name + " ends")
        return handler

    bus.subscribe("n", make("a", 0.01))
    bus.subscribe("n", make("b", 0))
    publish(bus)
    assert trace == ["a begins", "a ends", "b begins", "b ends"]


def test_same_handler_twice(bus):
    calls = []
    once = bus.subscribe("n", calls.append, once=True)
    bus.subscribe("n", calls.append)
    publish(bus, payload=1)
    assert calls == [1, 1]
    assert not once.active
    publish(bus, payload=2)
    assert calls == [1, 1, 2]


def test_async_failure(bus, errors):
    async def bad(_):
        await asyncio.sleep(0)
        raise KeyError("x")

    bus.subscribe("n", bad)
    bus.subscribe("n", lambda _: "fine")
    assert publish(bus) == ["fine"]
    assert len(errors) == 1


def test_cancelling_is_not_swallowed(bus, errors):
    async def slow(_):
        await asyncio.sleep(10)

    bus.subscribe("n", slow)

    async def main():
        task = asyncio.ensure_future(bus.publish("n"))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    assert errors == []


def test_other_events_are_not_affected(bus):
    bus.subscribe("n", lambda _: "n", once=True)
    bus.subscribe("m", lambda _: "m", once=True)
    assert publish(bus, "n") == ["n"]
    assert bus.events() == ["m"]


def test_publish_without_handlers_leaves_no_trace(bus):
    assert publish(bus, "unknown") == []
    assert bus.events() == []


def test_none_results_are_kept(bus):
    bus.subscribe("n", lambda _: None)
    bus.subscribe("n", lambda _: None, once=True)
    assert publish(bus) == [None, None]


def test_three_waiting(bus):
    async def main():
        tasks = [asyncio.ensure_future(wait_for(bus, "n", 0.5)) for _ in range(3)]
        await asyncio.sleep(0)
        results = await bus.publish("n", 7)
        return results, await asyncio.gather(*tasks)

    assert asyncio.run(main()) == ([None] * 3, [7, 7, 7])
    assert bus.events() == []


def test_recorder_closed_by_a_handler(bus):
    recorder = Recorder(bus, ["n"])
    bus.subscribe("n", lambda _: recorder.close(), priority=2000)
    bus.subscribe("n", lambda _: "last")
    assert publish(bus, payload=1) == [None, "last"]
    assert recorder.items() == []
