import asyncio

from fetching import Source, fetch_all


def test_failures_in_later_batches():
    source = Source(dict(zip("abcdefgh", range(8))), fails="eh")
    for at_once in (1, 2, 3, 5, 8, 20):
        assert asyncio.run(fetch_all(source, "abcdefgh", at_once)) == {"a": 0, "b": 1, "c": 2, "d": 3, "f": 5, "g": 6}


def test_iterators():
    assert asyncio.run(fetch_all(Source({1: 2, 3: 4}), iter([1, 3]), 1)) == {1: 2, 3: 4}
