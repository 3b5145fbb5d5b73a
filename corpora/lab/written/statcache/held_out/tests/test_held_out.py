import pytest

from statcache import Cache


class Clock:
    now = 0

    def __call__(self):
        return self.now


# size, puts "key" or "key:ttl" with "+n" for time, keys at the end, evicted, expired
CASES = [
    (2, "a b b", "a b", 0, 0),
    (2, "a b a", "b a", 0, 0),
    (1, "a a a", "a", 0, 0),
    (1, "a b", "b", 1, 0),
    (3, "a b c a b c", "a b c", 0, 0),
    (3, "a b c a d", "c a d", 1, 0),
    (3, "a b c c d", "b c d", 1, 0),
    (2, "a b c d", "c d", 2, 0),
    (3, "a b a", "b a", 0, 0),
    (2, "a b:5 +6 c", "a c", 0, 1),
    (2, "a:5 b:5 +6 c", "c", 0, 2),
    (2, "a b:5 +4 c", "b c", 1, 0),
    (2, "a b:5 +5 c", "a c", 0, 1),
    (2, "a b:5 +3 b:5 +3 c", "b c", 1, 0),
    (2, "a:5 b +3 a +3 c", "a c", 1, 0),
    (2, "a b b b c", "b c", 1, 0),
]


@pytest.mark.parametrize("size, script, keys, evicted, expired", CASES)
def test_put(size, script, keys, evicted, expired):
    clock = Clock()
    c = Cache(size, clock=clock)
    for n, word in enumerate(script.split()):
        if word.startswith("+"):
            clock.now += int(word[1:])
            continue
        key, _, ttl = word.partition(":")
        c.put(key, n, ttl=int(ttl) if ttl else None)
        assert c.get(key) == n
    assert c.stats.evicted == evicted
    assert c.keys() == keys.split()
    assert c.stats.expired == expired


@pytest.mark.parametrize("value", [None, 0, "", False, []])
def test_overwriting_falsy_values(value):
    c = Cache(2)
    c.put("a", value)
    c.put("b", value)
    c.put("a", 1)
    assert c.keys() == ["b", "a"]
    assert c.get("b") == value
    assert c.stats.evicted == 0


@pytest.mark.parametrize("key", [0, "", None, (), False])
def test_overwriting_falsy_keys(key):
    c = Cache(2)
    c.put("a", 1)
    c.put(key, 1)
    c.put(key, 2)
    assert c.keys() == ["a", key]
    c.put("b", 1)
    assert c.keys() == [key, "b"]


def test_overwriting_renews_the_time():
    clock = Clock()
    c = Cache(2, ttl=10, clock=clock)
    c.put("a", 1)
    clock.now = 8
    c.put("a", 2)
    clock.now = 15
    assert c.get("a") == 2
    clock.now = 18
    assert c.get("a") is None


def test_statistics_of_gets_are_not_touched_by_put():
    c = Cache(2)
    for k in "ababcab":
        c.put(k, 1)
    assert (c.stats.hits, c.stats.misses) == (0, 0)
