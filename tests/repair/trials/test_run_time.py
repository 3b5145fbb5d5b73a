"""The time of a command: where it counts from, and what is raised when something does not look at the clock."""

import gc
import signal
import sys
import threading
import time
import weakref

import pytest

from analysis.errors import OutOfTimeError
from repair.trials import run_time
from repair.trials.run_time import Backstop, RunTime, TimeIsUp, limit_time

SPIN = 60.0


def spin(until=SPIN):
    """Compute without looking at anything but the time after which the test would have failed."""
    end = time.monotonic() + until
    while time.monotonic() < end:
        pass
    raise AssertionError("nothing has stopped it")


@pytest.fixture
def backstop():
    made = Backstop()
    yield made
    made.disarm()


def test_a_computation_that_never_looks_is_broken_off(backstop):
    backstop.arm(time.monotonic() + 0.1)
    with pytest.raises(TimeIsUp):
        spin()


@pytest.mark.parametrize("wait", [lambda: threading.Event().wait(SPIN), lambda: held().acquire(timeout=SPIN)])
def test_so_is_what_waits_for_another_thread(backstop, wait):
    backstop.arm(time.monotonic() + 0.1)
    with pytest.raises(TimeIsUp):
        wait()


def held():
    """A lock that nobody will let go."""
    lock = threading.Lock()
    lock.acquire()
    return lock


def test_a_time_that_is_over_already_is_noticed_too(backstop):
    backstop.arm(time.monotonic() - 5.0)
    with pytest.raises(TimeIsUp):
        spin()


def test_it_is_no_exception_that_a_broad_handler_takes():
    assert not issubclass(TimeIsUp, Exception)


def test_who_swallows_it_hears_it_again(backstop):
    heard = []
    backstop.arm(time.monotonic() + 0.1)
    while len(heard) < 3:
        try:
            spin()
        except TimeIsUp as problem:
            heard.append(type(problem))
    assert heard == [TimeIsUp] * 3


def wait_for_the_alarm(*_):
    """What the garbage collector calls; it takes longer than the time that is left."""
    end = time.monotonic() + 0.15
    while time.monotonic() < end:
        pass


def collect_and_spin():
    gc.callbacks.append(wait_for_the_alarm)
    try:
        gc.collect()
    finally:
        gc.callbacks.remove(wait_for_the_alarm)
    spin()


class Dying:
    def __init__(self, end):
        self.end = end

    def __del__(self):
        self.end()


def drop_and_spin(end=wait_for_the_alarm):
    Dying(end)
    spin()


@pytest.fixture
def printed(monkeypatch):
    """What Python prints of exceptions that nobody can catch."""
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", seen.append)
    return seen


class Member:
    def __init__(self):
        self.me = self


@pytest.mark.parametrize("work", [collect_and_spin, drop_and_spin])
def test_an_alarm_amid_a_callback_is_neither_lost_nor_printed(backstop, monkeypatch, printed, work):
    """Python prints what is raised there, and goes on: Hypothesis has such a callback in our own process."""
    monkeypatch.setattr(run_time, "AGAIN_SECONDS", 20.0)
    gc.collect()  # what other tests left behind is none of this one's
    backstop.arm(time.monotonic() + 0.05)
    with pytest.raises(TimeIsUp):
        work()
    assert printed == []


def test_so_is_one_that_comes_while_dead_members_are_taken_out_of_a_set(backstop, monkeypatch, printed):
    monkeypatch.setattr(run_time, "AGAIN_SECONDS", 20.0)
    members = weakref.WeakSet()
    gc.disable()
    try:
        for _ in range(200_000):
            members.add(Member())
        backstop.arm(time.monotonic() + 0.05)
        with pytest.raises(TimeIsUp):
            collect_and_spin()
    finally:
        gc.enable()
    assert printed == []


def test_a_callback_that_does_not_end_is_ended(backstop, printed):
    backstop.arm(time.monotonic() + 0.5)
    with pytest.raises(TimeIsUp):
        drop_and_spin(spin)
    assert [each.exc_type for each in printed] == [TimeIsUp]


def cleans_up(seconds, done):
    """Is broken off, and takes so long to clean up."""
    try:
        spin()
    finally:
        threading.Event().wait(seconds)
        done.append("cleaned up")


def test_cleaning_up_on_the_way_out_is_left_alone(backstop):
    done = []
    backstop.arm(time.monotonic() + 0.5)
    with pytest.raises(TimeIsUp):
        cleans_up(3 * run_time.AGAIN_SECONDS, done)
    assert done


def test_but_not_for_ever(backstop, monkeypatch):
    monkeypatch.setattr(run_time, "UNWINDING_SECONDS", 0.3)
    done = []
    backstop.arm(time.monotonic() + 0.1)
    with pytest.raises(TimeIsUp):
        cleans_up(SPIN, done)
    assert not done


def test_nothing_is_raised_once_the_answer_is_made(backstop):
    before = signal.getsignal(signal.SIGALRM)
    backstop.arm(time.monotonic() + 0.8)
    assert signal.getsignal(signal.SIGALRM) != before
    backstop.disarm()
    time.sleep(0.9)
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_in_another_thread_it_does_nothing():
    seen = []

    def work():
        with limit_time(time.monotonic() - 10.0, 0.1) as timing:
            time.sleep(0.05)
            seen.append(timing)

    before = signal.getsignal(signal.SIGALRM)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert [type(each) for each in seen] == [RunTime]
    assert signal.getsignal(signal.SIGALRM) == before


def test_what_makes_no_answer_by_itself_ends_as_out_of_time():
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(OutOfTimeError, match="--max-seconds"), limit_time(time.monotonic() - 10.0, 0.1):
        spin()
    assert signal.getsignal(signal.SIGALRM) == before


def test_an_answer_is_written_in_peace():
    with limit_time(time.monotonic() - run_time.BACKSTOP_SECONDS, 0.8) as timing:
        timing.done()
        time.sleep(0.9)
