import asyncio

import pytest

from jobs import Backoff, FatalError, Scheduler, State


def run(sched, *times):
    for t in times:
        asyncio.run(sched.run_due(t))


def script(*outcomes):
    """A job function that fails or succeeds as told, then succeeds for ever."""
    left = list(outcomes)

    async def func():
        outcome = left.pop(0) if left else "ok"
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return func


def test_backoff_grows_up_to_limit():
    b = Backoff(base=10, factor=2, limit=35)
    assert [b.delay(n) for n in (1, 2, 3, 4)] == [10, 20, 35, 35]


def test_one_off_job():
    s = Scheduler()
    job = s.add("mail", script("sent"), at=5)
    run(s, 4)
    assert job.state is State.WAITING
    run(s, 5)
    assert job.state is State.DONE
    assert job.result == "sent"


def test_earliest_first():
    s = Scheduler()
    s.add("b", script(), at=2)
    s.add("a", script(), at=1)
    assert asyncio.run(s.run_due(10)) == ["a", "b"]


def test_failure_is_tried_again_after_backoff():
    s = Scheduler(Backoff(base=10))
    job = s.add("mail", script(OSError("no route")))
    run(s, 0)
    assert job.due == 10
    assert "no route" in job.last_error
    run(s, 10)
    assert job.state is State.DONE


def test_dead_after_max_attempts():
    dead = []
    s = Scheduler(Backoff(base=1, factor=1), on_dead=dead.append)
    job = s.add("mail", script(OSError(), OSError(), OSError()), max_attempts=3)
    run(s, 0, 1, 2, 3)
    assert job.state is State.DEAD
    assert dead == [job]
    assert len(job.history) == 3


def test_fatal_error_is_not_tried_again():
    s = Scheduler()
    job = s.add("mail", script(FatalError("bad address")))
    run(s, 0)
    assert job.state is State.DEAD
    assert s.next_due() is None


def test_periodic_job_comes_again():
    s = Scheduler()
    job = s.add("sync", script(), every=60)
    run(s, 0)
    assert job.state is State.WAITING
    assert s.next_due() == 60


def test_periodic_job_survives_a_late_failure():
    s = Scheduler(Backoff(base=5))
    job = s.add("sync", script("ok", "ok", "ok", OSError("blip")), every=60)
    run(s, 0, 60, 120, 180)
    assert job.state is State.WAITING
    assert s.next_due() == 185


def test_cancel():
    s = Scheduler()
    s.add("sync", script(), every=60)
    s.cancel("sync")
    assert asyncio.run(s.run_due(100)) == []


def test_name_taken():
    s = Scheduler()
    s.add("sync", script())
    with pytest.raises(ValueError):
        s.add("sync", script())
