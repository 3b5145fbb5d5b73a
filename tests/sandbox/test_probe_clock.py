"""The clock of a run: waiting for something counts, waiting for a core does not."""

import multiprocessing
import os
import time

import pytest

from sandbox.request import PROBE


@pytest.fixture
def clock(monkeypatch):
    """The clock as the probe sees it: the probe is on no path of ours."""
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe.ground import clock  # noqa: PLC0415

    return clock


def test_sleeping_counts(clock):
    began = clock.unhindered_seconds()
    time.sleep(0.2)
    assert clock.unhindered_seconds() - began >= 0.15


@pytest.mark.skipif(
    not os.path.exists("/proc/thread-self/schedstat"), reason="only Linux tells how long a thread waited"
)
def test_waiting_for_a_core_does_not_count(clock):
    core = min(os.sched_getaffinity(0))
    rivals = [multiprocessing.get_context("fork").Process(target=_busy, args=(core,)) for _ in range(4)]
    kept = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        for rival in rivals:
            rival.start()
        began, by_the_wall, worked = clock.unhindered_seconds(), time.monotonic(), time.process_time()
        while time.process_time() - worked < 0.3:
            pass
        took, wall = clock.unhindered_seconds() - began, time.monotonic() - by_the_wall
    finally:
        os.sched_setaffinity(0, kept)
        for rival in rivals:
            rival.kill()
            rival.join()
    assert wall > 0.6
    assert took < 0.6 * wall


def test_where_nothing_is_told_it_is_the_usual_clock(clock, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(clock, "os_open", _refuse)
    assert abs(clock.unhindered_seconds() - time.monotonic()) < 5


def _busy(core: int) -> None:
    os.sched_setaffinity(0, {core})
    while True:
        pass


def _refuse(*_: object) -> int:
    raise OSError("no such file")
