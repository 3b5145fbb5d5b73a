import pytest

from player.playlist import Playlist
from player.track import Track, clock

A = Track("Alpha", "X", 60)
B = Track("Beta", "Y", 125)
C = Track("Gamma", "Z", 3600)
D = Track("Delta", "X", 200)


@pytest.fixture
def pl():
    return Playlist("mix", [A, B, C, D])


def test_clock():
    assert clock(59) == "0:59"
    assert clock(3725) == "1:02:05"


def test_track_text():
    assert str(B) == "Y - Beta (2:05)"


def test_next_and_previous(pl):
    assert pl.next() == B
    assert pl.previous() == A
    assert pl.previous() == A


def test_end_of_list(pl):
    pl.jump(3)
    assert pl.next() is None
    assert pl.current == D


def test_repeat(pl):
    pl.repeat = True
    pl.jump(3)
    assert pl.next() == A
    assert pl.previous() == D


def test_insert_before_current(pl):
    pl.jump(1)
    pl.add(D, at=0)
    assert pl.current == B


def test_remove_before_current(pl):
    pl.jump(2)
    assert pl.remove(0) == A
    assert pl.current == C


def test_remove_only_track():
    pl = Playlist("one", [A])
    pl.remove(0)
    assert pl.current is None
    assert len(pl) == 0


def test_remove_bad_index(pl):
    with pytest.raises(IndexError):
        pl.remove(4)


def test_remaining(pl):
    pl.jump(2)
    assert pl.remaining() == "1:03:20"
    assert Playlist("empty").remaining() == "0:00"
