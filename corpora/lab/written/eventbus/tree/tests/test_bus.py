from bus import EventBus
from bus.events import matches
from bus.history import History


def collect(bus, pattern, log, label, **kwargs):
    return bus.on(pattern, lambda event: log.append(label), **kwargs)


def test_matches():
    assert matches("user.*", "user.added")
    assert not matches("user.*", "user")
    assert matches("*", "anything")
    assert not matches("user", "users")


def test_handler_gets_the_data():
    bus = EventBus()
    seen = []
    bus.on("saved", lambda event: seen.append(event.data))
    bus.emit("saved", id=3)
    assert seen == [{"id": 3}]


def test_priority():
    bus = EventBus()
    log = []
    collect(bus, "x", log, "low", priority=-1)
    collect(bus, "x", log, "high", priority=5)
    collect(bus, "x", log, "normal")
    bus.emit("x")
    assert log == ["high", "normal", "low"]


def test_cancel():
    bus = EventBus()
    log = []
    sub = collect(bus, "x", log, "a")
    sub.cancel()
    sub.cancel()
    bus.emit("x")
    assert log == []


def test_stop():
    bus = EventBus()
    log = []
    bus.on("x", lambda event: event.stop(), priority=1)
    collect(bus, "x", log, "a")
    assert bus.emit("x").stopped
    assert log == []


def test_error_does_not_stop_others():
    bus = EventBus()
    log = []
    bus.on("x", lambda event: 1 / 0)
    collect(bus, "x", log, "a")
    bus.emit("x")
    assert log == ["a"]
    assert isinstance(bus.errors[0][1], ZeroDivisionError)


def test_once():
    bus = EventBus()
    log = []
    bus.once("x", lambda event: log.append("once"))
    collect(bus, "x", log, "always")
    bus.emit("x")
    bus.emit("x")
    assert log == ["once", "always", "always"]


def test_history():
    bus = EventBus()
    history = History(bus, size=2)
    for name in ("a", "b", "b"):
        bus.emit(name)
    assert history.counts() == {"b": 2}
    history.close()
    bus.emit("c")
    assert history.names() == ["b", "b"]
