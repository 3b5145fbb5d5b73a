import pytest

from roads import Roads


@pytest.fixture
def roads():
    return Roads().add("a", "b", 7).add("a", "c", 3).add("c", "b", 1).add("b", "d", 2).add("x", "y", 1)


def test_direct(roads):
    assert roads.shortest("a", "c") == (3, ["a", "c"])


def test_nowhere(roads):
    assert roads.shortest("a", "a") == (0, ["a"])
    assert roads.shortest("a", "x") is None


def test_a_detour_may_be_shorter(roads):
    assert roads.shortest("a", "b") == (4, ["a", "c", "b"])


def test_on_behind_a_detour(roads):
    assert roads.shortest("a", "d") == (6, ["a", "c", "b", "d"])


def test_both_ways(roads):
    assert roads.shortest("c", "a") == (3, ["c", "a"])


def test_lengths_are_checked(roads):
    with pytest.raises(ValueError, match="negative"):
        roads.add("a", "z", -1)


def test_reachable(roads):
    assert roads.reachable("d") == {"a", "b", "c", "d"}
