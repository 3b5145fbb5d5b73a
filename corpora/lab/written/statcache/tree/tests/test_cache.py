import pytest

from statcache import Cache, memoize


class Clock:
    now = 0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_size_must_be_positive():
    with pytest.raises(ValueError):
        Cache(0)


def test_get_and_default():
    c = Cache(2)
    c.put("a", 1)
    assert c.get("a") == 1
    assert c.get("b") is None
    assert c.get("b", 7) == 7
    assert (c.stats.hits, c.stats.misses) == (1, 2)


def test_oldest_goes():
    c = Cache(2)
    for k in "abc":
        c.put(k, k)
    assert c.keys() == ["b", "c"]
    assert c.stats.evicted == 1


def test_get_refreshes():
    c = Cache(2)
    c.put("a", 1)
    c.put("b", 2)
    c.get("a")
    c.put("c", 3)
    assert c.keys() == ["a", "c"]


def test_ttl(clock):
    c = Cache(5, ttl=10, clock=clock)
    c.put("a", 1)
    c.put("b", 2, ttl=20)
    clock.now = 10
    assert "a" not in c
    assert c.get("a") is None
    assert c.get("b") == 2
    assert c.stats.expired == 1


def test_expired_makes_room(clock):
    c = Cache(2, clock=clock)
    c.put("a", 1)
    c.put("b", 2, ttl=5)
    clock.now = 6
    c.put("c", 3)
    assert c.keys() == ["a", "c"]
    assert (c.stats.evicted, c.stats.expired) == (0, 1)


def test_overwriting_keeps_the_others():
    c = Cache(2)
    c.put("a", 1)
    c.put("b", 2)
    c.put("b", 3)
    assert c.keys() == ["a", "b"]
    assert c.get("b") == 3
    assert c.stats.evicted == 0


def test_overwriting_refreshes():
    c = Cache(3)
    c.put("a", 1)
    c.put("b", 2)
    c.put("a", 3)
    assert c.keys() == ["b", "a"]


def test_hit_rate():
    c = Cache(1)
    assert c.stats.hit_rate == 0
    c.put("a", 1)
    c.get("a")
    c.get("x")
    assert c.stats.hit_rate == 0.5


def test_memoize():
    calls = []

    @memoize(max_size=2)
    def square(n):
        calls.append(n)
        return n * n

    assert [square(3), square(3), square(4)] == [9, 9, 16]
    assert calls == [3, 4]
    assert square.cache.stats.hits == 1


def test_memoize_none():
    calls = []

    @memoize()
    def nothing():
        calls.append(1)

    nothing()
    nothing()
    assert calls == [1]
