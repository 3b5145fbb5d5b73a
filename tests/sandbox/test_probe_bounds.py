"""The time of one call: it ends the call wherever it is, and leaves the target's own alarms as they were."""

import gc
import signal
import sys
import time

import pytest

from sandbox.request import PROBE


@pytest.fixture
def bounds(monkeypatch):
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe.compare import bounds  # noqa: PLC0415

    return bounds


def spin(seconds=60.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def collect_and_spin():
    """The time is up amid a callback of the garbage collector: what is raised there is printed, and goes no further."""

    def called(*_):
        spin(0.2)

    gc.callbacks.append(called)
    try:
        gc.collect()
    finally:
        gc.callbacks.remove(called)
    spin()


def catch_and_spin():
    try:
        spin()
    except BaseException:  # noqa: BLE001 - a target may
        spin()


@pytest.mark.parametrize("work", [spin, collect_and_spin, catch_and_spin])
@pytest.mark.parametrize("given", [(0.1,), (60.0, 0.02)], ids=["by the clock", "by work"])
def test_a_call_ends_whatever_the_alarm_falls_into(bounds, monkeypatch, work, given):
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    with pytest.raises(bounds.Hang), bounds.BoundTime(*given):
        work()
    assert [signal.getitimer(each) for each in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL)] == [(0.0, 0.0)] * 2


def test_an_alarm_without_effect_is_given_again_long_before_the_time_is_over_twice(bounds):
    with bounds.BoundTime(30.0):
        _, again = signal.getitimer(signal.ITIMER_REAL)
    assert 0 < again < 1


def test_the_targets_own_alarm_goes_on_as_it_was(bounds):
    heard = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append("rung"))
    signal.setitimer(signal.ITIMER_REAL, 500.0, 7.0)
    try:
        with bounds.BoundTime(30.0):
            assert signal.getitimer(signal.ITIMER_REAL)[0] < 31
        left, again = signal.getitimer(signal.ITIMER_REAL)
        assert left > 400
        assert again == 7.0
        signal.raise_signal(signal.SIGALRM)
        assert heard == ["rung"]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
