import pytest

from memo import Cache, cached
from memo.clock import ManualClock


@pytest.fixture
def clock():
    return ManualClock()


def filled(capacity=3, **kw):
    c = Cache(capacity, **kw)
    for key in "abc"[:capacity]:
        c.put(key, key.upper())
    return c


def test_get_and_default():
    c = filled()
    assert c.get("a") == "A"
    assert c.get("zz") is None
    assert c.get("zz", 7) == 7


def test_capacity_checked():
    with pytest.raises(ValueError):
        Cache(0)


def test_oldest_goes_first():
    c = filled()
    c.put("d", "D")
    assert c.keys() == ["b", "c", "d"]
    assert c.stats.evictions == 1


def test_get_counts_as_use():
    c = filled()
    c.get("a")
    c.put("d", "D")
    assert c.keys() == ["c", "a", "d"]


def test_contains_is_no_use():
    c = filled()
    assert "a" in c
    c.put("d", "D")
    assert "a" not in c


def test_update_when_full_evicts_nothing():
    c = filled()
    c.put("b", "B2")
    assert c.get("b") == "B2"
    assert len(c) == 3
    assert c.stats.evictions == 0


def test_update_counts_as_use():
    c = Cache(3)
    c.put("a", 1)
    c.put("b", 2)
    c.put("a", 3)
    assert c.keys() == ["b", "a"]


def test_update_of_the_oldest_when_full():
    c = filled()
    c.put("a", "A2")
    assert c.keys() == ["b", "c", "a"]


def test_ttl(clock):
    c = filled(ttl=10, clock=clock)
    clock.advance(9)
    assert c.get("a") == "A"
    clock.advance(1)
    assert c.get("a") is None
    assert len(c) == 0


def test_own_ttl(clock):
    c = Cache(3, ttl=10, clock=clock)
    c.put("a", 1, ttl=2)
    c.put("b", 2)
    clock.advance(5)
    assert c.keys() == ["b"]


def test_update_starts_time_anew(clock):
    c = Cache(3, ttl=10, clock=clock)
    c.put("a", 1)
    clock.advance(8)
    c.put("a", 2)
    clock.advance(8)
    assert c.get("a") == 2


def test_expired_go_before_live_ones(clock):
    c = Cache(2, clock=clock)
    c.put("old", 1)
    c.put("short", 2, ttl=5)
    clock.advance(6)
    c.put("new", 3)
    assert c.keys() == ["old", "new"]
    assert c.stats.evictions == 0


def test_stats():
    c = filled()
    c.get("a")
    c.get("nope")
    assert (c.stats.hits, c.stats.misses) == (1, 1)
    assert c.stats.ratio == 0.5


def test_delete_and_clear():
    c = filled()
    assert c.delete("a") is True
    assert c.delete("a") is False
    c.clear()
    assert len(c) == 0


def test_decorator():
    calls = []

    @cached(capacity=2)
    def double(x):
        calls.append(x)
        return 2 * x

    assert [double(1), double(1), double(2)] == [2, 2, 4]
    assert calls == [1, 2]
