import pytest

from tracker import State, Tracker, WorkflowError
from tracker.report import DAY, average_days, resolutions, unfinished


class Clock:
    def __init__(self):
        self.now = 100

    def __call__(self):
        self.now += 1
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def tracker(clock):
    return Tracker(clock)


def facts(tracker, i):
    issue = tracker.get(i)
    return issue.state, issue.done_at, issue.resolution


def resolved(tracker, title="A", how="fixed"):
    i = tracker.create(title)
    tracker.move(i, State.RESOLVED, "ann", how)
    return i


def closed(tracker):
    i = resolved(tracker)
    tracker.move(i, State.CLOSED, "ann")
    return i


def test_resolved_to_open(tracker):
    i = resolved(tracker)
    tracker.move(i, State.OPEN, "bob")
    assert facts(tracker, i) == (State.OPEN, None, None)


def test_resolved_to_in_progress(tracker):
    i = resolved(tracker)
    tracker.move(i, State.IN_PROGRESS, "bob")
    assert facts(tracker, i) == (State.IN_PROGRESS, None, None)


def test_closed_to_open(tracker):
    i = closed(tracker)
    tracker.move(i, State.OPEN, "bob")
    assert facts(tracker, i) == (State.OPEN, None, None)


def test_closing_keeps_the_time_and_resolution(tracker, clock):
    i = resolved(tracker)
    at = tracker.get(i).done_at
    clock.now = 9000
    tracker.move(i, State.CLOSED, "bob")
    assert facts(tracker, i) == (State.CLOSED, at, "fixed")


def test_resolved_time(tracker, clock):
    i = tracker.create("A")
    clock.now = 499
    tracker.move(i, State.RESOLVED, "ann", "fixed")
    assert facts(tracker, i) == (State.RESOLVED, 500, "fixed")


def test_resolved_from_in_progress(tracker, clock):
    i = tracker.create("A")
    tracker.move(i, State.IN_PROGRESS, "ann")
    assert facts(tracker, i) == (State.IN_PROGRESS, None, None)
    clock.now = 499
    tracker.move(i, State.RESOLVED, "ann", "fixed")
    assert facts(tracker, i) == (State.RESOLVED, 500, "fixed")


def test_back_from_in_progress_to_open(tracker):
    i = tracker.create("A")
    tracker.move(i, State.IN_PROGRESS, "ann")
    tracker.move(i, State.OPEN, "ann")
    assert facts(tracker, i) == (State.OPEN, None, None)


def test_second_round(tracker, clock):
    i = resolved(tracker)
    tracker.move(i, State.IN_PROGRESS, "bob")
    clock.now = 799
    tracker.move(i, State.RESOLVED, "bob", "wontfix")
    assert facts(tracker, i) == (State.RESOLVED, 800, "wontfix")
    clock.now = 899
    tracker.move(i, State.CLOSED, "bob")
    assert facts(tracker, i) == (State.CLOSED, 800, "wontfix")


def test_third_round(tracker, clock):
    i = closed(tracker)
    tracker.move(i, State.OPEN, "bob")
    tracker.move(i, State.RESOLVED, "bob", "duplicate")
    tracker.move(i, State.OPEN, "bob")
    assert facts(tracker, i) == (State.OPEN, None, None)
    clock.now = 3999
    tracker.move(i, State.RESOLVED, "bob", "fixed")
    assert facts(tracker, i) == (State.RESOLVED, 4000, "fixed")


@pytest.mark.parametrize("new", [State.RESOLVED, State.IN_PROGRESS, State.CLOSED])
def test_refused_move_of_a_closed_issue_changes_nothing(tracker, new):
    i = closed(tracker)
    before, history = tracker.get(i), tracker.history(i)
    with pytest.raises(WorkflowError):
        tracker.move(i, new, "bob", "fixed")
    assert tracker.get(i) == before
    assert tracker.history(i) == history


def test_refused_move_of_a_resolved_issue_changes_nothing(tracker):
    i = resolved(tracker)
    before = tracker.get(i)
    with pytest.raises(WorkflowError):
        tracker.move(i, State.RESOLVED, "bob", "again")
    assert tracker.get(i) == before


def test_resolving_again_needs_a_new_resolution(tracker):
    i = closed(tracker)
    tracker.move(i, State.OPEN, "bob")
    with pytest.raises(WorkflowError):
        tracker.move(i, State.RESOLVED, "bob")
    assert facts(tracker, i) == (State.OPEN, None, None)


def test_other_issues_are_left_alone(tracker):
    i, other = resolved(tracker), resolved(tracker, "B", "duplicate")
    before = tracker.get(other)
    tracker.move(i, State.OPEN, "bob")
    assert tracker.get(other) == before


def test_history_of_reopening(tracker):
    i = closed(tracker)
    tracker.move(i, State.OPEN, "bob")
    assert [row[:3] for row in tracker.history(i)] == [
        ("ann", State.OPEN, State.RESOLVED),
        ("ann", State.RESOLVED, State.CLOSED),
        ("bob", State.CLOSED, State.OPEN),
    ]


def test_observer_sees_the_stored_issue(tracker):
    seen = []
    i = closed(tracker)
    tracker.subscribe(lambda n, old, new: seen.append((old, new, facts(tracker, n))))
    tracker.move(i, State.OPEN, "bob")
    assert seen == [(State.CLOSED, State.OPEN, (State.OPEN, None, None))]


def test_kept_in_a_file(tmp_path, clock):
    path = str(tmp_path / "issues.db")
    tracker = Tracker(clock, path)
    i = resolved(tracker)
    tracker.move(i, State.IN_PROGRESS, "bob")
    assert facts(Tracker(clock, path), i) == (State.IN_PROGRESS, None, None)


def test_reports_after_reopening(tracker, clock):
    i, other = resolved(tracker), tracker.create("B")
    tracker.move(i, State.IN_PROGRESS, "bob")
    assert unfinished(tracker) == ["A", "B"]
    assert resolutions(tracker) == {}
    assert average_days(tracker) is None
    clock.now = tracker.get(other).created_at + 3 * DAY - 1
    tracker.move(other, State.RESOLVED, "bob", "fixed")
    assert average_days(tracker) == 3
    tracker.move(other, State.CLOSED, "bob")
    assert average_days(tracker) == 3
    assert resolutions(tracker) == {"fixed": 1}
