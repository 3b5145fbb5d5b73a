import asyncio

import pytest

from fetching import Source, fetch_all, fetch_first


@pytest.fixture
def source():
    return Source({letter: letter.upper() for letter in "abcdefg"}, fails="c")


def test_nothing(source):
    assert asyncio.run(fetch_all(source, "")) == {}


def test_one_batch(source):
    assert asyncio.run(fetch_all(source, "ab")) == {"a": "A", "b": "B"}


def test_failures_are_left_out(source):
    assert asyncio.run(fetch_all(source, "abc")) == {"a": "A", "b": "B"}


def test_several_batches(source):
    assert asyncio.run(fetch_all(source, "abdefg")) == {letter: letter.upper() for letter in "abdefg"}


def test_one_at_a_time(source):
    assert asyncio.run(fetch_all(source, "ab", at_once=1)) == {"a": "A", "b": "B"}
    assert source.most == 1


def test_not_too_many_at_once(source):
    asyncio.run(fetch_all(source, "abdefg", at_once=4))
    assert source.most == 4


def test_first(source):
    assert asyncio.run(fetch_first(source, "cab")) == "A"
    assert asyncio.run(fetch_first(source, "c")) is None
