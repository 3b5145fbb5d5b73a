import pytest

from sessions import Sessions


@pytest.fixture
def sessions():
    made = Sessions(60)
    for token, now in (("a", 0), ("b", 10), ("c", 100)):
        made.touch(token, now)
    return made


def test_open(sessions):
    assert sessions.is_open("a", 60)
    assert not sessions.is_open("a", 61)
    assert not sessions.is_open("nobody", 0)


def test_touch_prolongs(sessions):
    sessions.touch("a", 50)
    assert sessions.is_open("a", 110)


def test_nothing_to_sweep(sessions):
    assert sessions.sweep(60) == []
    assert len(sessions) == 3


def test_sweep(sessions):
    assert sessions.sweep(100) == ["a", "b"]
    assert len(sessions) == 1


def test_sweep_again(sessions):
    sessions.sweep(100)
    assert sessions.sweep(100) == []


def test_sweep_everything(sessions):
    assert sessions.sweep(1000) == ["a", "b", "c"]
    assert len(sessions) == 0
