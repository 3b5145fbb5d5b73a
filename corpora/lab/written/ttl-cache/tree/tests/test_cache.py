import pytest

from cachebox import TTLCache, cached


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_set_and_get(clock):
    c = TTLCache(2, clock=clock)
    c.set("a", 1)
    assert c.get("a") == 1
    assert c.get("b") is None


def test_oldest_goes(clock):
    c = TTLCache(2, clock=clock)
    for k in "abc":
        c.set(k, k)
    assert "a" not in c
    assert "c" in c


def test_get_counts_as_use(clock):
    c = TTLCache(2, clock=clock)
    c.set("a", 1)
    c.set("b", 2)
    c.get("a")
    c.set("c", 3)
    assert "a" in c


def test_ttl(clock):
    c = TTLCache(2, ttl=10, clock=clock)
    c.set("a", 1)
    clock.now = 9
    assert "a" in c
    clock.now = 10
    assert "a" not in c


def test_update_when_full_keeps_the_others(clock):
    c = TTLCache(2, clock=clock)
    c.set("a", 1)
    c.set("b", 2)
    c.set("b", 3)
    assert c.get("a") == 1
    assert c.get("b") == 3


def test_delete(clock):
    c = TTLCache(2, clock=clock)
    c.set("a", 1)
    assert c.delete("a")
    assert not c.delete("a")


def test_bad_size():
    with pytest.raises(ValueError):
        TTLCache(0)


def test_decorator():
    calls = []

    @cached(maxsize=2)
    def square(x):
        calls.append(x)
        return x * x

    assert square(3) == square(3) == 9
    assert calls == [3]
