from throttle import SlidingWindow
from throttle.clock import ManualClock
from throttle.keyed import KeyedLimiter


def test_limit_and_period():
    clock = ManualClock()
    window = SlidingWindow(2, 10, clock)
    assert window.allow()
    clock.advance(4)
    assert window.allow()
    assert not window.allow()
    clock.advance(6)
    assert window.allow()
    assert not window.allow()


def test_remaining():
    clock = ManualClock()
    window = SlidingWindow(3, 10, clock)
    window.allow()
    assert window.remaining() == 2
    clock.advance(10)
    assert window.remaining() == 3


def test_keys_do_not_share():
    clock = ManualClock()
    limiter = KeyedLimiter(lambda: SlidingWindow(1, 10, clock))
    requests = [("ann", 1), ("bob", 2), ("ann", 3)]
    assert limiter.filter(requests) == [("ann", 1), ("bob", 2)]


def test_forget():
    limiter = KeyedLimiter(lambda: SlidingWindow(1, 10, ManualClock()))
    assert limiter.allow("ann")
    assert not limiter.allow("ann")
    limiter.forget("ann")
    assert limiter.allow("ann")
    limiter.forget("nobody")
