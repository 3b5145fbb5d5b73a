import pytest

from tracker import State, Tracker, WorkflowError
from tracker.report import DAY, average_days, count_by_state, resolutions, unfinished


class Clock:
    def __init__(self):
        self.now = 1000

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def tracker(clock):
    return Tracker(clock)


def test_new_issue(tracker):
    issue = tracker.get(tracker.create(" Crash on start "))
    assert issue.title == "Crash on start"
    assert issue.state is State.OPEN
    assert issue.created_at == 1000
    assert issue.done_at is None
    assert issue.resolution is None


def test_title_is_needed(tracker):
    with pytest.raises(ValueError):
        tracker.create("  ")


def test_unknown_issue(tracker):
    with pytest.raises(KeyError):
        tracker.get(7)
    with pytest.raises(KeyError):
        tracker.move(7, State.OPEN, "ann")


def test_start_work(tracker):
    i = tracker.create("A")
    tracker.move(i, State.IN_PROGRESS, "ann")
    assert tracker.get(i).state is State.IN_PROGRESS
    assert tracker.get(i).done_at is None


def test_resolve(tracker, clock):
    i = tracker.create("A")
    clock.now = 1500
    tracker.move(i, State.RESOLVED, "ann", "fixed")
    issue = tracker.get(i)
    assert issue.state is State.RESOLVED
    assert issue.done_at == 1500
    assert issue.resolution == "fixed"


def test_resolution_is_needed(tracker):
    i = tracker.create("A")
    with pytest.raises(WorkflowError):
        tracker.move(i, State.RESOLVED, "ann")
    assert tracker.get(i).state is State.OPEN
    assert tracker.history(i) == []


def test_forbidden_move(tracker):
    i = tracker.create("A")
    with pytest.raises(WorkflowError):
        tracker.move(i, State.CLOSED, "ann")
    assert tracker.get(i).state is State.OPEN


def test_close(tracker):
    i = tracker.create("A")
    tracker.move(i, State.RESOLVED, "ann", "fixed")
    tracker.move(i, State.CLOSED, "bob")
    issue = tracker.get(i)
    assert issue.state is State.CLOSED
    assert issue.done_at == 1000
    assert issue.resolution == "fixed"


def test_reopened_issue_is_not_done(tracker, clock):
    i = tracker.create("A")
    tracker.move(i, State.RESOLVED, "ann", "fixed")
    tracker.move(i, State.CLOSED, "bob")
    clock.now = 2000
    tracker.move(i, State.OPEN, "cid")
    assert tracker.get(i).state is State.OPEN
    assert tracker.get(i).done_at is None
    assert unfinished(tracker) == ["A"]


def test_resolved_a_second_time(tracker, clock):
    i = tracker.create("A")
    tracker.move(i, State.RESOLVED, "ann", "fixed")
    tracker.move(i, State.CLOSED, "bob")
    tracker.move(i, State.OPEN, "cid")
    clock.now = 5000
    tracker.move(i, State.RESOLVED, "ann", "wontfix")
    assert tracker.get(i).done_at == 5000
    assert tracker.get(i).resolution == "wontfix"


def test_history(tracker, clock):
    i = tracker.create("A")
    tracker.move(i, State.IN_PROGRESS, "ann")
    clock.now = 1200
    tracker.move(i, State.RESOLVED, "bob", "fixed")
    assert tracker.history(i) == [
        ("ann", State.OPEN, State.IN_PROGRESS, 1000),
        ("bob", State.IN_PROGRESS, State.RESOLVED, 1200),
    ]


def test_observers(tracker):
    seen = []
    tracker.subscribe(lambda *args: seen.append(args))
    i = tracker.create("A")
    tracker.move(i, State.IN_PROGRESS, "ann")
    with pytest.raises(WorkflowError):
        tracker.move(i, State.CLOSED, "ann")
    assert seen == [(i, State.OPEN, State.IN_PROGRESS)]


def test_report(tracker, clock):
    first, second = tracker.create("A"), tracker.create("B")
    clock.now += 2 * DAY
    tracker.move(second, State.RESOLVED, "ann", "duplicate")
    assert count_by_state(tracker) == {State.OPEN: 1, State.RESOLVED: 1}
    assert average_days(tracker) == 2
    assert unfinished(tracker) == ["A"]
    assert resolutions(tracker) == {"duplicate": 1}
    assert tracker.get(first).done_at is None


def test_average_of_nothing(tracker):
    tracker.create("A")
    assert average_days(tracker) is None
