"""When a search has had enough: time, count, or a find and as much time again."""

from __future__ import annotations

import pytest

from repair.hunt.search_state import Finds, SearchState
from repair.hunt.tier_schedule import Stopping
from repair.hunt.tried_edit import TriedEdit
from repair.records.task import Budget


def stopping(
    now: float, finds: tuple[tuple[float, bool], ...] = (), drawn: int = 0, more: float = 0.0, **budget
) -> Stopping:
    """A search that began at 0, with finds at these times that are sound or not."""
    edits = [TriedEdit(None, None, None, 1, passed_at=at, sound=sound) for at, sound in finds]
    state = SearchState(drawn=drawn, finds=Finds(edits))
    return Stopping(Budget(**{"max_seconds": 60.0, **budget}), lambda: now, 0.0, state, more=more)


@pytest.mark.parametrize(
    ("stop", "enough"),
    [
        (stopping(59.0), False),
        (stopping(60.0), True),
        (stopping(1.0, drawn=9, max_candidates=10), False),
        (stopping(1.0, drawn=10, max_candidates=10), True),
        (stopping(5.5, ((1.0, True),)), False),
        (stopping(6.5, ((1.0, True),)), True),
        (stopping(35.0, ((20.0, True),)), False),
        (stopping(41.0, ((20.0, True),)), True),
        (stopping(41.0, ((20.0, False),)), False),
        (stopping(69.0, more=10.0), False),
        (stopping(69.0, ((20.0, False),), more=10.0), False),
        (stopping(70.0, more=10.0), True),
        (stopping(61.0, ((60.5, True),), more=10.0), True),
    ],
)
def test_it_is_enough_when_time_or_count_is_up_or_a_sound_find_has_waited(stop: Stopping, enough: bool):
    assert stop.enough is enough


@pytest.mark.parametrize(
    ("positions", "seen", "enough"),
    [((), 5000, False), ((10,), 409, False), ((10,), 410, True), ((10, 300), 690, False), ((900,), 1790, False)],
)
def test_many_edits_after_the_last_sound_find_it_is_enough_however_quick_they_were(positions, seen, enough):
    edits = [TriedEdit(None, None, None, place, passed_at=1.0, sound=True) for place in positions]
    state = SearchState(seen={str(n) for n in range(seen)}, finds=Finds(edits))
    stop = Stopping(Budget(max_seconds=60.0), lambda: 2.0, 0.0, state)
    assert stop.enough is enough


def test_a_little_overtime_is_allowed():
    assert not stopping(61.0).overdue
    assert stopping(63.0).overdue
    assert stopping(63.0).seconds_left == -3.0


def test_without_a_survivor_nobody_was_hurried():
    assert not stopping(60.0, ((59.0, True),)).hurried(frozenset({"search"}))
