import pytest

from playqueue import PlayQueue, Track


def tracks(letters):
    return [Track(letter, "Band", 60) for letter in letters]


def make(letters, playing=0):
    queue = PlayQueue(tracks(letters))
    for _ in range(playing):
        queue.skip()
    return queue


def titles(queue):
    return "".join(track.title for track in queue.tracks)


@pytest.mark.parametrize("playing", range(5))
@pytest.mark.parametrize("source", range(5))
def test_every_move(playing, source):
    for target in range(5):
        queue = make("abcde", playing)
        expected = list("abcde")
        expected.insert(target, expected.pop(source))
        queue.move(source, target)
        assert titles(queue) == "".join(expected)
        assert queue.playing.title == "abcde"[playing], (source, target)


def test_move_in_a_stopped_queue():
    queue = make("abc", playing=3)
    assert queue.playing is None
    queue.move(0, 2)
    assert titles(queue) == "bca"
    assert queue.playing is None


def test_same_track_twice():
    queue = make("aba", playing=2)
    queue.move(1, 0)
    assert titles(queue) == "baa"
    assert queue.current == 2


def test_same_track_twice_first_playing():
    queue = make("aab", playing=1)
    queue.move(2, 0)
    assert titles(queue) == "baa"
    assert queue.current == 2
    assert queue.upcoming() == []


@pytest.mark.parametrize("source, target", [(-1, 0), (3, 0), (0, 3), (0, -1)])
def test_out_of_range(source, target):
    queue = make("abc", playing=1)
    with pytest.raises(IndexError):
        queue.move(source, target)
    assert titles(queue) == "abc"
    assert queue.playing.title == "b"
