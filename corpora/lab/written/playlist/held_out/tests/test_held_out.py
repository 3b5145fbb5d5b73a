import pytest

from player.playlist import Playlist
from player.track import Track

ALL = [Track(n, "band", 60) for n in "abcd"]


def names(pl):
    return "".join(t.title for t in pl)


@pytest.mark.parametrize("at, index, current, rest", [
    (0, 0, "b", "bcd"), (0, 1, "a", "acd"), (0, 3, "a", "abc"),
    (1, 0, "b", "bcd"), (1, 1, "c", "acd"), (1, 2, "b", "abd"),
    (2, 0, "c", "bcd"), (2, 1, "c", "acd"), (2, 2, "d", "abd"), (2, 3, "c", "abc"),
    (3, 0, "d", "bcd"), (3, 2, "d", "abd"), (3, 3, "c", "abc"),
])
def test_remove_one(at, index, current, rest):
    pl = Playlist("p", ALL)
    pl.jump(at)
    assert pl.remove(index) is ALL[index]
    assert names(pl) == rest
    assert pl.current.title == current
    assert pl.position == rest.index(current)


@pytest.mark.parametrize("repeat", [False, True])
def test_remove_last_while_playing_it(repeat):
    pl = Playlist("p", ALL, repeat=repeat)
    pl.jump(3)
    pl.remove(3)
    assert pl.current.title == "c"
    assert pl.next() is (ALL[0] if repeat else None)


def test_remove_all_from_the_front():
    pl = Playlist("p", ALL)
    pl.jump(2)
    seen = []
    while len(pl):
        pl.remove(0)
        seen.append(pl.current and pl.current.title)
    assert seen == ["c", "c", "d", None]
    assert pl.position is None


def test_remove_all_from_the_back():
    pl = Playlist("p", ALL)
    pl.jump(1)
    seen = []
    while len(pl):
        pl.remove(len(pl) - 1)
        seen.append(pl.current and pl.current.title)
    assert seen == ["b", "b", "a", None]


@pytest.mark.parametrize("index", [-1, 4, 100])
def test_bad_index_changes_nothing(index):
    pl = Playlist("p", ALL)
    pl.jump(2)
    with pytest.raises(IndexError):
        pl.remove(index)
    assert names(pl) == "abcd"
    assert pl.position == 2


def test_same_track_twice():
    pl = Playlist("p", [ALL[0], ALL[1], ALL[0], ALL[2]])
    pl.jump(2)
    pl.remove(0)
    assert pl.position == 1
    assert pl.next() is ALL[2]


def test_empty_then_add():
    pl = Playlist("p", ALL[:1])
    pl.remove(0)
    pl.add(ALL[1])
    assert pl.current is ALL[1]
