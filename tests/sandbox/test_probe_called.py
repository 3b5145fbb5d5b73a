"""Calls are counted by code object, by the interpreter's own profiler and by a function alike."""

import sys
import threading

import pytest

from sandbox.request import PROBE


def outer(n):
    return [inner(each) for each in range(n)]


def inner(n):
    return n if n < 2 else inner(n - 1)


def numbers():
    yield 1
    yield 2


@pytest.fixture(params=["profiler", "function"])
def calls(request, monkeypatch):
    """What counts; the probe is on no path of ours."""
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe.trace import called  # noqa: PLC0415

    if request.param == "function":
        monkeypatch.setattr(called, "Profiler", None)
    elif called.Profiler is None:
        pytest.skip("this interpreter has no profiler that may be used here")
    before = sys.getprofile()
    yield called.CallCounter()
    threading.setprofile(None)
    sys.setprofile(before)


def own(found):
    """What was counted of the functions above."""
    names = {each.__code__: each.__name__ for each in (outer, inner, numbers)}
    return {names[code]: count for code, count in found if code in names}


def test_calls_are_counted_from_the_start_to_the_stop(calls):
    outer(4)
    calls.start()
    outer(3)
    assert own(calls.stop()) == {"outer": 1, "inner": 4}
    inner(3)
    calls.start()
    assert own(calls.stop()) == {}


def test_a_generator_counts_each_time_it_goes_on(calls):
    calls.start()
    assert list(numbers()) == [1, 2]
    assert own(calls.stop()) == {"numbers": 3}


def test_threads_that_start_meanwhile_are_counted_too(calls):
    calls.start()
    thread = threading.Thread(target=outer, args=(2,))
    thread.start()
    thread.join()
    assert own(calls.stop()) == {"outer": 1, "inner": 2}


def test_the_target_may_take_the_profile_function_for_itself(calls):
    calls.start()
    sys.setprofile(None)
    inner(1)
    assert own(calls.stop()) == {}
    assert sys.getprofile() is None
