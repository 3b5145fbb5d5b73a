import pytest

from playqueue import PlayQueue, Track


def tracks(letters):
    return [Track(letter, "Band", 60) for letter in letters]


def make(letters, playing=0, repeat="off"):
    queue = PlayQueue(tracks(letters), repeat)
    for _ in range(playing):
        queue.skip()
    return queue


def titles(queue):
    return "".join(track.title for track in queue.tracks)


def test_empty():
    queue = PlayQueue()
    assert queue.playing is None
    assert queue.skip() is None
    assert queue.upcoming() == []


def test_append_starts_empty_queue():
    queue = PlayQueue()
    queue.append(tracks("a")[0])
    assert queue.playing.title == "a"


def test_bad_repeat_mode():
    with pytest.raises(ValueError):
        PlayQueue(repeat="twice")


def test_play_next():
    queue = make("abc", playing=1)
    queue.play_next(tracks("x")[0])
    assert titles(queue) == "abxc"
    assert queue.playing.title == "b"


def test_skip_stops_at_the_end():
    queue = make("ab", playing=1)
    assert queue.skip() is None
    assert queue.playing is None


def test_repeat_all():
    queue = make("ab", playing=1, repeat="all")
    assert queue.skip().title == "a"


def test_repeat_one():
    queue = make("ab", repeat="one")
    assert queue.finished().title == "a"
    assert queue.skip().title == "b"


@pytest.mark.parametrize("index, playing", [(0, "b"), (1, "c"), (2, "b")])
def test_remove(index, playing):
    queue = make("abc", playing=1)
    queue.remove(index)
    assert queue.playing.title == playing


def test_remove_last_while_playing():
    queue = make("abc", playing=2)
    queue.remove(2)
    assert queue.playing is None


@pytest.mark.parametrize(
    "source, target, order",
    [
        (1, 4, "acdeb"),  # the playing one, to the end
        (1, 0, "bacde"),  # the playing one, to the front
        (2, 4, "abdec"),  # both behind it
        (4, 2, "abecd"),
        (0, 3, "bcdae"),  # over it
        (0, 1, "bacde"),  # onto its place
        (4, 0, "eabcd"),
        (1, 1, "abcde"),
    ],
)
def test_move_keeps_playing(source, target, order):
    queue = make("abcde", playing=1)
    queue.move(source, target)
    assert titles(queue) == order
    assert queue.playing.title == "b"


def test_move_out_of_range():
    queue = make("abc")
    with pytest.raises(IndexError):
        queue.move(0, 3)
    with pytest.raises(IndexError):
        queue.move(-1, 0)
    assert titles(queue) == "abc"


def test_move_then_skip():
    queue = make("abcd", playing=2)
    queue.move(0, 3)
    assert queue.skip().title == "d"
    assert queue.skip().title == "a"


def test_remaining():
    assert make("abcd", playing=1).remaining_seconds() == 120
