import pytest

from lru import LRU


def filled():
    cache = LRU(3)
    for key in "abc":
        cache.put(key, key.upper())
    return cache


def test_within_the_size_nothing_goes():
    cache = LRU(3)
    assert [cache.put(key, 1) for key in "ab"] == [None, None]


def test_a_full_cache_is_no_overflow():
    assert filled().keys() == ["a", "b", "c"]


def test_the_oldest_goes():
    cache = filled()
    assert cache.put("d", 4) == "a"
    assert cache.keys() == ["b", "c", "d"]


def test_reading_refreshes():
    cache = LRU(5)
    for key in "abc":
        cache.put(key, 1)
    cache.get("a")
    assert cache.keys() == ["b", "c", "a"]


def test_replacing_refreshes():
    cache = filled()
    cache.put("a", "again")
    assert cache.keys() == ["b", "c", "a"]
    assert cache.get("a") == "again"


def test_default():
    assert LRU(1).get("x", "none") == "none"


def test_size_is_checked():
    with pytest.raises(ValueError, match="at least one"):
        LRU(0)
