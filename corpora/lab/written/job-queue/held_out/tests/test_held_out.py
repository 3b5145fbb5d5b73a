import pytest

from jobs.queue import JobQueue
from jobs.runner import Runner


def queue(*jobs, cancel=()):
    q = JobQueue()
    for name, when in jobs:
        q.add(name, when)
    for name in cancel:
        q.cancel(name)
    return q


ABCD = [("a", 1), ("b", 2), ("c", 3), ("d", 4)]


@pytest.mark.parametrize(
    "cancel, now, limit, want",
    [
        ("", 4, None, "abcd"),
        ("a", 4, None, "bcd"),
        ("b", 4, None, "acd"),
        ("ab", 4, None, "cd"),
        ("bc", 4, None, "ad"),
        ("abc", 4, None, "d"),
        ("d", 4, None, "abc"),
        ("ac", 4, None, "bd"),
        ("bd", 4, None, "ac"),
        ("abcd", 4, None, ""),
        ("a", 2, None, "b"),
        ("b", 3, None, "ac"),
        ("b", 2, None, "a"),
        ("", 0, None, ""),
        ("", 2, None, "ab"),
        ("", 4, 2, "ab"),
        ("b", 4, 2, "ac"),
        ("ab", 4, 2, "cd"),
        ("ab", 4, 1, "c"),
        ("a", 4, 3, "bcd"),
        ("", 4, 0, ""),
        ("a", 4, 0, ""),
        ("", 4, 9, "abcd"),
    ],
)
def test_pop_due(cancel, now, limit, want):
    q = queue(*ABCD, cancel=cancel)
    assert q.pop_due(now, limit) == list(want)
    rest = [n for n in "abcd" if n not in want and n not in cancel]
    assert q.names() == rest
    assert len(q) == len(rest)


def test_what_is_not_due_stays():
    q = queue(*ABCD, cancel="b")
    assert q.pop_due(2) == ["a"]
    assert q.pop_due(3) == ["c"]
    assert q.pop_due(10) == ["d"]
    assert q.pop_due(10) == []


def test_replaced_job_runs_once_at_its_new_time():
    q = queue(("a", 1), ("b", 2))
    q.add("a", 3)
    assert q.pop_due(2) == ["b"]
    assert q.pop_due(3) == ["a"]
    assert q.pop_due(9) == []


def test_replaced_job_still_in_when_the_old_entry_is_passed():
    q = queue(("a", 1), ("b", 2))
    q.add("a", 5)
    q.pop_due(2)
    assert "a" in q
    assert q.next_due() == 5


def test_postponed_twice():
    q = queue(("a", 1), ("b", 2))
    q.postpone("a", 5)
    q.postpone("a", 5)
    assert q.pop_due(6) == ["b"]
    assert q.pop_due(11) == ["a"]


def test_brought_forward():
    q = queue(("a", 9), ("b", 5))
    q.add("a", 1)
    assert q.pop_due(9) == ["a", "b"]
    assert q.pop_due(9) == []


def test_added_again_after_cancel():
    q = queue(("a", 1), cancel="a")
    q.add("a", 2)
    assert q.pop_due(2) == ["a"]
    assert len(q) == 0


def test_limit_in_steps_with_cancelled():
    q = queue(*[(str(i), i) for i in range(10)], cancel=[str(i) for i in range(0, 10, 3)])
    got = []
    while True:
        some = q.pop_due(100, 2)
        assert len(some) <= 2
        if not some:
            break
        got += some
    assert got == ["1", "2", "4", "5", "7", "8"]


def test_runner_does_not_run_cancelled():
    q = queue(("a", 1), ("b", 2), ("c", 3), cancel="a")
    r = Runner(q)
    log = []
    for name in "abc":
        r.register(name, lambda n=name: log.append(n))
    assert r.tick(5) == ["b", "c"]
    assert log == ["b", "c"]
