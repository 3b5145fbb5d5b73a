import pytest

from cachebox import TTLCache, cached


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def gone():
    return []


@pytest.fixture
def full(clock, gone):
    c = TTLCache(3, ttl=100, clock=clock, on_evict=lambda k, v: gone.append((k, v)))
    for k in "abc":
        c.set(k, k.upper())
    return c


@pytest.mark.parametrize("key", ["a", "b", "c"])
def test_update_keeps_the_others(full, gone, key):
    full.set(key, "new")
    assert sorted(full.keys()) == ["a", "b", "c"]
    assert full.peek(key) == "new"
    assert gone == []
    assert full.stats.evictions == 0


def test_update_makes_most_recent(full, gone):
    full.set("a", 1)
    assert full.keys() == ["b", "c", "a"]
    full.set("d", 4)
    assert full.keys() == ["c", "a", "d"]
    assert gone == [("b", "B")]


def test_update_starts_time_anew(full, clock):
    clock.now = 60
    full.set("a", 1)
    clock.now = 120
    assert full.keys() == ["a"]
    assert full.get("a") == 1
    clock.now = 160
    assert "a" not in full


def test_update_with_own_ttl(full, clock):
    full.set("a", 1, ttl=5)
    clock.now = 5
    assert "a" not in full
    assert "b" in full


def test_update_to_for_ever(full, clock):
    full.set("a", 1, ttl=None)
    clock.now = 10_000
    assert full.get("a") == 1


def test_update_back_to_default_ttl(clock):
    c = TTLCache(1, ttl=10, clock=clock)
    c.set("a", 1, ttl=None)
    c.set("a", 2)
    clock.now = 10
    assert "a" not in c


def test_new_key_evicts_exactly_one(full, gone):
    full.set("d", 4)
    assert full.keys() == ["b", "c", "d"]
    assert gone == [("a", "A")]
    assert full.stats.evictions == 1


def test_never_more_than_maxsize(full):
    for n in range(20):
        full.set(n, n)
        full.set(n, -n)
        assert len(full._data) <= 3
        assert len(full) <= 3


def test_full_again_after_updates(full, gone):
    for _ in range(5):
        full.set("b", 0)
    full.set("d", 4)
    full.set("e", 5)
    assert full.keys() == ["b", "d", "e"]
    assert gone == [("a", "A"), ("c", "C")]


def test_expired_go_before_least_recent(full, clock, gone):
    full.set("c", 3, ttl=5)
    clock.now = 5
    full.set("d", 4)
    assert full.keys() == ["a", "b", "d"]
    assert gone == []
    assert full.stats.evictions == 0


def test_all_expired(full, clock, gone):
    clock.now = 100
    full.set("d", 4)
    assert full.keys() == ["d"]
    assert gone == []


def test_update_of_expired_key(full, clock, gone):
    full.set("b", 2, ttl=5)
    clock.now = 6
    full.set("b", 3)
    assert full.get("b") == 3
    assert full.keys() == ["a", "c", "b"]
    assert gone == []


def test_maxsize_one(clock, gone):
    c = TTLCache(1, clock=clock, on_evict=lambda k, v: gone.append((k, v)))
    c.set("a", 1)
    c.set("a", 2)
    assert c.get("a") == 2 and gone == []
    c.set("b", 3)
    assert c.keys() == ["b"] and gone == [("a", 2)]


def test_maxsize_one_no_growth(clock):
    c = TTLCache(1, clock=clock)
    for n in range(4):
        c.set(n, n)
        assert c.keys() == [n]


def test_none_values(clock, gone):
    c = TTLCache(2, clock=clock, on_evict=lambda k, v: gone.append((k, v)))
    c.set("a", None)
    c.set("b", None)
    c.set("a", None)
    assert c.keys() == ["b", "a"]
    assert gone == []


def test_falsy_keys_and_values(clock, gone):
    c = TTLCache(2, clock=clock, on_evict=lambda k, v: gone.append((k, v)))
    c.set(0, 0)
    c.set("", "")
    c.set(0, 0)
    c.set("", "x")
    assert c.keys() == [0, ""]
    assert gone == []


def test_update_with_equal_value_counts_as_use(full):
    full.set("a", "A")
    assert full.keys() == ["b", "c", "a"]


def test_update_does_not_count_as_hit_or_miss(full):
    full.set("a", 1)
    full.set("d", 1)
    assert (full.stats.hits, full.stats.misses) == (0, 0)


def test_update_when_not_full(clock):
    c = TTLCache(5, clock=clock)
    c.set("a", 1)
    c.set("b", 2)
    c.set("a", 3)
    assert c.keys() == ["b", "a"]
    assert c.peek("a") == 3


def test_old_value_gone_when_callback_runs(clock):
    seen = []
    c = TTLCache(1, clock=clock, on_evict=lambda k, v: seen.append(k in c))
    c.set("a", 1)
    c.set("b", 2)
    assert seen == [False]


def test_refresh_keeps_the_other_results():
    calls = []

    @cached(maxsize=2)
    def square(x):
        calls.append(x)
        return x * x

    square(1)
    square(2)
    square.refresh(2)
    square.refresh(1)
    square(1)
    square(2)
    assert calls == [1, 2, 2, 1]


def test_expired_entries_do_not_pile_up(clock, gone):
    c = TTLCache(3, ttl=10, clock=clock, on_evict=lambda k, v: gone.append((k, v)))
    for n in range(12):
        clock.now = n * 7.0
        c.set(n, n)
    clock.now += 1000
    assert c.expire() <= 3
    assert gone == []
