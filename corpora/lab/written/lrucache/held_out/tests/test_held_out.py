import pytest

from memo import Cache
from memo.clock import ManualClock


@pytest.fixture
def clock():
    return ManualClock()


def filled(keys, capacity, **kw):
    c = Cache(capacity, **kw)
    for key in keys:
        c.put(key, key.upper())
    return c


@pytest.mark.parametrize("puts, capacity, keys, evictions", [
    ("", 3, "", 0), ("abc", 3, "abc", 0), ("abcd", 3, "bcd", 1), ("abcde", 3, "cde", 2),
    ("aaaa", 1, "a", 0), ("aab", 1, "b", 1), ("abca", 3, "bca", 0), ("abcb", 3, "acb", 0),
    ("abcc", 3, "abc", 0), ("abcad", 3, "cad", 1), ("abcabc", 3, "abc", 0), ("abcdd", 3, "bcd", 1),
    ("abab", 2, "ab", 0), ("abba", 2, "ba", 0),
])
def test_puts(puts, capacity, keys, evictions):
    c = filled(puts, capacity)
    assert "".join(c.keys()) == keys
    assert c.stats.evictions == evictions


def test_update_at_capacity_takes_own_ttl(clock):
    c = filled("ab", 2, ttl=10, clock=clock)
    c.put("a", 1, ttl=100)
    clock.advance(50)
    assert c.keys() == ["a"]
    assert c.get("a") == 1


def test_update_at_capacity_starts_time_anew(clock):
    c = filled("ab", 2, ttl=10, clock=clock)
    clock.advance(8)
    c.put("a", 1)
    clock.advance(8)
    assert c.keys() == ["a"]


def test_update_may_shorten_the_time(clock):
    c = filled("ab", 2, ttl=10, clock=clock)
    c.put("b", 1, ttl=1)
    clock.advance(2)
    assert c.keys() == ["a"]


def test_update_drops_an_own_ttl(clock):
    c = Cache(2, clock=clock)
    c.put("a", 1, ttl=5)
    c.put("b", 1)
    c.put("a", 2)
    clock.advance(100)
    assert c.keys() == ["b", "a"]


def test_expired_key_put_again_when_full(clock):
    c = Cache(2, clock=clock)
    c.put("a", 1, ttl=5)
    c.put("b", 2)
    clock.advance(5)
    c.put("a", 3)
    assert c.keys() == ["b", "a"]
    assert c.get("a") == 3
    assert c.stats.evictions == 0


def test_two_new_keys_after_update(clock):
    c = filled("abc", 3, clock=clock)
    c.put("a", 1)
    c.put("d", 2)
    c.put("e", 3)
    assert c.keys() == ["a", "d", "e"]
    assert c.stats.evictions == 2


def test_expired_entry_goes_before_a_live_older_one(clock):
    c = Cache(3, clock=clock)
    c.put("a", 1)
    c.put("b", 2, ttl=1)
    c.put("c", 3)
    clock.advance(1)
    c.put("c", 4)
    c.put("d", 5)
    assert c.keys() == ["a", "c", "d"]
    assert c.stats.evictions == 0


def test_smaller_capacity_later():
    c = filled("abcd", 4)
    c.capacity = 2
    c.put("e", 1)
    assert c.keys() == ["d", "e"]
    assert c.stats.evictions == 3


def test_falsy_values_are_values():
    c = filled("ab", 2)
    c.put("a", None)
    c.put("a", 0)
    assert c.keys() == ["b", "a"]
    assert c.stats.evictions == 0
    assert c.get("a", 9) == 0


def test_put_is_neither_hit_nor_miss():
    c = filled("ab", 2)
    c.put("a", 1)
    assert (c.stats.hits, c.stats.misses) == (0, 0)
