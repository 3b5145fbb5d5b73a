import pytest

from jobs.scheduler import Scheduler


def play(plan, every=10, max_failures=3):
    """Run a job once per letter of plan, each time exactly when planned."""
    letters = list(plan)

    def func():
        if letters.pop(0) == "x":
            raise RuntimeError("boom %d" % len(letters))

    s = Scheduler(max_failures)
    job = s.add("j", func, every)
    gaps = []
    for _ in plan:
        if not job.enabled:
            break
        now = job.next_run
        s.tick(now)
        gaps.append(job.next_run - now)
    return job, gaps


@pytest.mark.parametrize("plan, want", [
    (".", [10]),
    ("...", [10, 10, 10]),
    ("x", [20]),
    ("xx", [20, 40]),
    ("x.", [20, 10]),
    ("xx.", [20, 40, 10]),
    ("xx..", [20, 40, 10, 10]),
    ("x.x", [20, 10, 20]),
    ("xx.x", [20, 40, 10, 20]),
    ("x.x.x.x", [20, 10, 20, 10, 20, 10, 20]),
    ("xx.xx.", [20, 40, 10, 20, 40, 10]),
])
def test_gaps(plan, want):
    job, gaps = play(plan)
    assert gaps == want
    assert job.enabled


@pytest.mark.parametrize("plan, on", [
    ("xxx", False), ("xx.xx", True), ("x.x.x.x.x", True), ("xx.xxx", False), (".xxx", False),
])
def test_only_failures_in_a_row_switch_off(plan, on):
    job, gaps = play(plan)
    assert len(gaps) == len(plan)
    assert job.enabled is on


def test_failures_counts_those_in_a_row():
    assert play("xx")[0].failures == 2
    assert play("xx.")[0].failures == 0
    assert play("xx.x")[0].failures == 1


def test_failures_stay_counted_on_a_job_that_is_off():
    assert play("xxx")[0].failures == 3


def test_error_text_and_history():
    job, _ = play("xx")
    assert job.last_error == "boom 0"
    job, _ = play("xx.")
    assert job.last_error is None
    assert job.history == [(0, False), (20, False), (60, True)]


def test_other_limits():
    assert play("xxxxx", max_failures=6)[0].enabled
    job, gaps = play("xxxx.", max_failures=6)
    assert gaps == [20, 40, 80, 160, 10]
    assert not play("x", max_failures=1)[0].enabled


def test_jobs_do_not_share_counts():
    s = Scheduler()

    def bad():
        raise RuntimeError("no")

    a = s.add("a", bad, 10)
    b = s.add("b", lambda: None, 10)
    s.tick(0)
    assert (a.failures, b.failures) == (1, 0)
    assert (a.next_run, b.next_run) == (20, 10)


def test_late_run_is_planned_from_now():
    s = Scheduler()
    job = s.add("a", lambda: None, 10)
    s.tick(7)
    assert job.next_run == 17
