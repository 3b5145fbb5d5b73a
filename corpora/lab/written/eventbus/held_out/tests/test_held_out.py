from bus import EventBus


class Log(list):
    def add(self, label):
        def handler(event):
            self.append(label)
        return handler


def test_several_once_handlers():
    bus, log = EventBus(), Log()
    for label in "abcd":
        bus.once("x", log.add(label))
    bus.emit("x")
    assert log == ["a", "b", "c", "d"]
    bus.emit("x")
    assert log == ["a", "b", "c", "d"]
    assert bus.subscriptions == []


def test_once_in_the_middle_and_last():
    bus, log = EventBus(), Log()
    bus.on("x", log.add("a"))
    bus.once("x", log.add("b"))
    bus.on("x", log.add("c"))
    bus.once("x", log.add("d"))
    bus.emit("x")
    bus.emit("x")
    assert log == ["a", "b", "c", "d", "a", "c"]


def test_handler_cancels_itself():
    bus, log = EventBus(), Log()

    def handler(event):
        log.append("self")
        sub.cancel()

    sub = bus.on("x", handler)
    bus.on("x", log.add("b"))
    bus.on("x", log.add("c"))
    bus.emit("x")
    bus.emit("x")
    assert log == ["self", "b", "c", "b", "c"]


def test_handler_cancels_a_later_one():
    bus, log = EventBus(), Log()
    bus.on("x", lambda event: later.cancel(), priority=1)
    later = bus.on("x", log.add("later"))
    bus.on("x", log.add("last"))
    bus.emit("x")
    assert log == ["last"]


def test_handler_cancels_an_earlier_one():
    bus, log = EventBus(), Log()
    first = bus.on("x", log.add("first"))
    bus.on("x", lambda event: first.cancel())
    bus.on("x", log.add("last"))
    bus.emit("x")
    bus.emit("x")
    assert log == ["first", "last", "last"]


def test_handler_off_by_handler():
    bus, log = EventBus(), Log()
    other = log.add("other")
    bus.on("x", lambda event: bus.off(other), priority=3)
    bus.on("x", other, priority=2)
    bus.on("x", other, priority=1)
    bus.on("x", log.add("end"))
    bus.emit("x")
    assert log == ["end"]


def test_added_handler_waits_for_the_next_event():
    bus, log = EventBus(), Log()
    bus.once("x", lambda event: bus.on("x", log.add("new")))
    bus.emit("x")
    assert log == []
    bus.emit("x")
    assert log == ["new"]


def test_added_handler_of_high_priority():
    bus, log = EventBus(), Log()

    def first(event):
        log.append("first")
        bus.on("x", log.add("new"), priority=10)

    bus.once("x", first)
    bus.on("x", log.add("second"))
    bus.emit("x")
    assert log == ["first", "second"]


def test_once_stays_for_other_events():
    bus, log = EventBus(), Log()
    bus.once("x", log.add("x"))
    bus.emit("y")
    assert log == []
    bus.emit("x")
    assert log == ["x"]


def test_once_is_gone_after_an_error():
    bus = EventBus()
    bus.once("x", lambda event: 1 / 0)
    bus.emit("x")
    bus.emit("x")
    assert len(bus.errors) == 1
    assert bus.errors[0][0] == "x"


def test_once_that_emits_again():
    bus, log = EventBus(), Log()

    def handler(event):
        log.append("once")
        if len(log) < 5:
            bus.emit("x")

    bus.once("x", handler)
    bus.emit("x")
    assert log == ["once"]


def test_once_after_stop_stays():
    bus, log = EventBus(), Log()
    stopper = bus.on("x", lambda event: event.stop(), priority=1)
    bus.once("x", log.add("once"))
    bus.emit("x")
    assert log == []
    stopper.cancel()
    bus.emit("x")
    assert log == ["once"]


def test_stopping_once():
    bus, log = EventBus(), Log()
    bus.once("x", lambda event: event.stop())
    bus.on("x", log.add("a"))
    bus.emit("x")
    assert log == []
    bus.emit("x")
    assert log == ["a"]


def test_once_with_wildcard():
    bus, log = EventBus(), Log()
    bus.once("user.*", log.add("once"))
    bus.on("*", log.add("all"))
    bus.emit("user.added")
    bus.emit("user.removed")
    assert log == ["once", "all", "all"]


def test_returns_the_event():
    event = EventBus().emit("x", a=1)
    assert (event.name, event.data, event.stopped) == ("x", {"a": 1}, False)
