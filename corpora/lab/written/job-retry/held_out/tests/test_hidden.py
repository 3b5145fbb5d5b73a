import asyncio

import pytest

from jobs import Backoff, FatalError, Scheduler, State


def run(sched, *times):
    for t in times:
        asyncio.run(sched.run_due(t))


def script(*outcomes):
    left = list(outcomes)

    async def func():
        outcome = left.pop(0) if left else "ok"
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    return func


E = OSError("x")


def sched(**kw):
    return Scheduler(Backoff(base=1, factor=2), **kw)


def test_every_run_has_its_own_tries():
    s = sched()
    job = s.add("j", script("ok", E, E, "ok", E, E, "ok"), every=100)
    run(s, 0, 100, 101, 103, 203, 204, 206)
    assert job.state is State.WAITING
    assert [r for _, r in job.history] == ["ok", "failed", "failed", "ok", "failed", "failed", "ok"]
    assert s.next_due() == 306


def test_many_successes_then_failures_until_dead():
    dead = []
    s = sched(on_dead=dead.append)
    job = s.add("j", script(*["ok"] * 5, E, E, E), every=10)
    run(s, 0, 10, 20, 30, 40, 50, 51)
    assert job.state is State.WAITING and dead == []
    run(s, 53)
    assert job.state is State.DEAD and dead == [job]
    assert s.next_due() is None


def test_periodic_dies_in_first_run():
    s = sched()
    job = s.add("j", script(E, E, E), every=10)
    run(s, 0, 1, 3)
    assert job.state is State.DEAD
    assert job.attempts == 3


def test_periodic_dead_keeps_attempts_after_success():
    s = sched()
    job = s.add("j", script("ok", E, E, E), every=10)
    run(s, 0, 10, 11, 13)
    assert job.state is State.DEAD
    assert job.attempts == 3
    assert s.report() == ["j: dead, 3 of 3 tries (OSError: x)"]


def test_backoff_of_later_run_starts_small():
    s = sched()
    job = s.add("j", script(E, "ok", E, E), every=10)
    run(s, 0, 1)
    assert s.next_due() == 11
    run(s, 11)
    assert s.next_due() == 12
    run(s, 12)
    assert s.next_due() == 14


def test_failure_in_the_first_run_grows():
    s = sched()
    s.add("j", script(E, E), every=10)
    run(s, 0)
    assert s.next_due() == 1
    run(s, 1)
    assert s.next_due() == 3


def test_one_off_keeps_attempts():
    s = sched()
    job = s.add("j", script(E, E))
    run(s, 0, 1, 3)
    assert job.state is State.DONE
    assert job.attempts == 3
    assert s.report() == ["j: done, 3 of 3 tries"]


def test_one_off_first_try():
    s = sched()
    job = s.add("j", script())
    run(s, 0)
    assert job.attempts == 1


def test_one_off_runs_once():
    s = sched()
    job = s.add("j", script())
    run(s, 0, 100, 1000)
    assert len(job.history) == 1


def test_max_attempts_one_periodic():
    s = sched()
    job = s.add("j", script("ok", "ok", E), every=10, max_attempts=1)
    run(s, 0, 10)
    assert job.state is State.WAITING
    run(s, 20)
    assert job.state is State.DEAD


def test_max_attempts_one_one_off():
    s = sched()
    job = s.add("j", script(E), max_attempts=1)
    run(s, 0)
    assert job.state is State.DEAD


def test_two_max_attempts():
    s = sched()
    job = s.add("j", script("ok", E, E), every=10, max_attempts=2)
    run(s, 0, 10)
    assert job.state is State.WAITING
    run(s, 11)
    assert job.state is State.DEAD


def test_fatal_in_periodic_after_success():
    dead = []
    s = sched(on_dead=dead.append)
    job = s.add("j", script("ok", FatalError("no")), every=10)
    run(s, 0, 10)
    assert job.state is State.DEAD and dead == [job]
    assert s.next_due() is None
    assert job.last_error == "FatalError: no"


def test_attempts_while_waiting_for_retry():
    s = sched()
    job = s.add("j", script("ok", E), every=10)
    run(s, 0, 10)
    assert job.attempts == 1
    assert s.report() == ["j: waiting, 1 of 3 tries (OSError: x)"]


def test_attempts_seen_inside_the_job():
    s = sched()
    seen = []
    fails = [True, False, True, False]

    async def func():
        seen.append((job.attempts, job.state))
        if fails.pop(0):
            raise E

    job = s.add("j", func, every=10)
    run(s, 0, 1, 11, 12)
    assert [a for a, _ in seen] == [1, 2, 1, 2]
    assert {st for _, st in seen} == {State.RUNNING}


def test_last_error_cleared():
    s = sched()
    job = s.add("j", script(E, "fine"), every=10)
    run(s, 0, 1)
    assert job.last_error is None
    assert job.result == "fine"


def test_next_run_counts_from_now():
    s = sched()
    s.add("j", script(), every=60)
    run(s, 7)
    assert s.next_due() == 67


def test_keyboard_interrupt_passes():
    s = sched()
    s.add("j", script(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        run(s, 0)


def test_jobs_do_not_share_counts():
    s = sched()
    a = s.add("a", script(E, E), every=10)
    b = s.add("b", script(E), at=1, every=10)
    run(s, 0, 1)
    assert (a.attempts, b.attempts) == (2, 1)
