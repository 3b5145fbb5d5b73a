import pytest

from quota.limiter import RateLimiter
from quota.limits import Limit, parse_limit
from quota.middleware import TooManyRequests, headers, limited


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.mark.parametrize("text, limit", [
    ("5/second", Limit(5, 1)),
    ("100/hour", Limit(100, 3600)),
    ("10 / 15 minutes", Limit(10, 900)),
])
def test_parse(text, limit):
    assert parse_limit(text) == limit


@pytest.mark.parametrize("text", ["", "5", "x/day", "3/fortnight", "0/day"])
def test_parse_bad(text):
    with pytest.raises(ValueError):
        parse_limit(text)


def test_allow(clock):
    lim = RateLimiter("2/second", clock=clock)
    assert [lim.allow("a") for _ in range(3)] == [True, True, False]
    assert lim.allow("b")
    clock.now += 1
    assert lim.allow("a")


def test_window_slides(clock):
    lim = RateLimiter("2/minute", clock=clock)
    lim.allow("a")
    clock.now += 40
    lim.allow("a")
    clock.now += 30
    assert lim.allow("a")
    assert not lim.allow("a")


def test_remaining(clock):
    lim = RateLimiter("5/minute", "2/second", clock=clock)
    assert lim.remaining("a") == 2
    lim.allow("a")
    assert lim.remaining("a") == 1
    clock.now += 1
    assert lim.remaining("a") == 2


def test_retry_after(clock):
    lim = RateLimiter("2/minute", clock=clock)
    assert lim.retry_after("a") == 0
    lim.allow("a")
    clock.now += 10
    assert lim.retry_after("a") == 0
    lim.allow("a")
    assert lim.retry_after("a") == 50


def test_retry_after_two_limits(clock):
    lim = RateLimiter("3/minute", "1/second", clock=clock)
    for _ in range(3):
        assert lim.allow("a")
        clock.now += 1
    clock.now -= 0.5
    assert lim.retry_after("a") == 57.5


def test_retry_after_only_short_limit(clock):
    lim = RateLimiter("100/minute", "1/second", clock=clock)
    lim.allow("a")
    clock.now += 0.25
    assert lim.retry_after("a") == 0.75


def test_middleware(clock):
    lim = RateLimiter("1/minute", clock=clock)

    @limited(lim)
    def hello(request):
        return "hello " + request["user"]

    assert hello({"user": "ann"}) == "hello ann"
    clock.now += 0.5
    with pytest.raises(TooManyRequests) as info:
        hello({"user": "ann"})
    assert info.value.retry_after == 60


def test_headers(clock):
    lim = RateLimiter("1/second", clock=clock)
    assert headers(lim, "x") == {"X-RateLimit-Remaining": "1"}
    lim.allow("x")
    assert headers(lim, "x") == {"X-RateLimit-Remaining": "0", "Retry-After": "1"}


def test_reset(clock):
    lim = RateLimiter("1/second", clock=clock)
    lim.allow("x")
    lim.reset("x")
    assert lim.allow("x")
