"""Which calls of a function are listened to, where many tests call it."""

from collections import Counter
from types import SimpleNamespace

import pytest

from sandbox.request import PROBE

PATCH = SimpleNamespace(apply=lambda: None, current_defaults=lambda: (None, None))
TARGET = SimpleNamespace(method=False, names=["f"])
TESTS = [f"t{number}" for number in range(10)]


@pytest.fixture
def listener_of(monkeypatch):
    """A listener with so many places, and so many for each test."""
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe.compare.calls import Listener  # noqa: PLC0415

    return lambda most, share, take, **given: Listener(TARGET, PATCH, PATCH, most, share, take, 400, **given)


@pytest.fixture
def listened(listener_of):
    def listen(asked, calls=10, most=40, share=2):
        """How many calls of each test are taken, where each makes so many different ones."""
        taken = Counter()
        listener = listener_of(most, share, lambda entry: taken.update([entry.test]))
        listener.asked = frozenset(asked)

        def f(n):
            listener.entered([n], (), (), {})

        for place, test in enumerate(TESTS):
            listener.begin(test)
            for number in range(calls):
                if listener._may_take():
                    f(calls * place + number)
        return taken

    return listen


def test_every_test_has_its_share(listened):
    assert listened([]) == dict.fromkeys(TESTS, 2)


def test_tests_that_are_asked_about_have_more_and_the_others_what_they_had(listened):
    assert listened(["t3"]) == {**dict.fromkeys(TESTS, 2), "t3": 8}


def test_where_all_are_asked_about_each_has_its_share_and_the_first_ones_more(listened):
    found = listened(TESTS)
    assert min(found.values()) == 2
    assert sum(found.values()) == 20 + 24


def test_one_that_is_asked_about_is_heard_where_others_have_taken_all_places(listened):
    assert listened(["t9"], most=4)["t9"] == 8
    assert listened([], most=4)["t9"] == 0


def test_a_call_that_was_taken_is_told_by_its_number(listener_of):
    repeated = []
    listener = listener_of(9, 9, lambda entry: None, repeated=lambda number: repeated.append((listener.test, number)))

    def f(n):
        listener.entered([n], (), (), {})

    for test, given in (("a", 1), ("a", 2), ("b", 2), ("b", 3), ("c", 1)):
        listener.begin(test)
        f(given)
    assert repeated == [("b", 1), ("c", 0)]
