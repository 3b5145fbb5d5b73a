"""Nothing that a sandbox has under way goes on after its deadline, and that is no observation about the target."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

import pytest

from analysis.errors import OutOfTimeError
from analysis.facts import Limits, TestRun, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial
from sandbox.deadline import Deadline
from sandbox.process import run
from sandbox.stray_processes import kill_marked
from sandbox.warm import WarmServer

PROJECT = {
    "lib.py": "def one():\n    return 0\n",
    "test_lib.py": "import lib\n\ndef test_one():\n    assert lib.one() == 1\n",
}


def asleep():
    span = find_function(functions_of("lib.py", PROJECT["lib.py"].encode()), "one")
    assert span is not None
    text = b"def one():\n    import time\n    time.sleep(60)\n"
    return Trial(digest(text), span.function, text, "test")


def test_a_cold_run_ends_at_the_deadline_and_none_begins_after_it(project, open_sandbox):
    sandbox = open_sandbox(project({"test_it.py": "import time\ndef test_slow():\n    time.sleep(60)\n"}))
    began = time.monotonic()
    sandbox.deadline.end_at(began + 1.0)
    with pytest.raises(OutOfTimeError, match="--max-seconds"):
        sandbox.run([])
    with pytest.raises(OutOfTimeError):
        sandbox.find_importable(["json"])
    with pytest.raises(OutOfTimeError):
        sandbox.warm([])
    assert time.monotonic() - began < 30


def test_a_run_that_was_ended_by_its_own_limits_is_an_observation(project, open_sandbox):
    sandbox = open_sandbox(project({"test_it.py": "import time\ndef test_slow():\n    time.sleep(60)\n"}))
    sandbox.deadline.end_at(time.monotonic() + 300.0)
    assert not isinstance(sandbox.run([], limits=Limits(wall_seconds=60, test_seconds=0.3)), TestRun)


def test_a_trial_that_sleeps_is_not_waited_for_after_the_deadline(project, open_sandbox):
    sandbox = open_sandbox(project(PROJECT))
    server = sandbox.warm([], limits=Limits(wall_seconds=120, test_seconds=120))
    assert isinstance(server, WarmServer), server
    with closing(server):
        began = time.monotonic()
        sandbox.deadline.end_at(began + 1.0)
        with pytest.raises(OutOfTimeError):
            list(server.trials([asleep()]))
        assert time.monotonic() - began < 30


def test_a_deadline_bounds_runs_and_can_be_drawn_nearer_for_a_while():
    now = 10.0
    deadline = Deadline(lambda: now)
    assert deadline.bound_limits(Limits(wall_seconds=7.0)).wall_seconds == 7.0
    deadline.end_at(9.0)
    with pytest.raises(OutOfTimeError):
        deadline.check()
    deadline.end_at(20.0)
    assert deadline.until == 20.0
    with deadline.at_most(3.0):
        assert deadline.left == 3.0
        assert deadline.until == 13.0
    with deadline.at_most(30.0):
        assert deadline.left == 10.0
    assert deadline.left == 10.0


def test_an_end_for_good_takes_back_what_was_left():
    deadline = Deadline(lambda: 10.0)
    deadline.end_at(50.0)
    deadline.end()
    with pytest.raises(OutOfTimeError):
        deadline.check()
    assert deadline.bound_limits(Limits()).wall_seconds == 0.0
    assert deadline.until < 10.0
    deadline.end_at(50.0)
    with pytest.raises(OutOfTimeError):
        deadline.check()


def test_what_had_no_process_yet_when_all_was_stopped_ends_too(project, open_sandbox, monkeypatch):
    sandbox = open_sandbox(project({"test_it.py": "import time\ndef test_slow():\n    time.sleep(60)\n"}))
    begun, stopping, killed = Event(), Event(), []

    def late(*given):
        begun.set()
        assert stopping.wait(60)
        return run(*given)

    def kill(mark):
        killed.append(mark)
        kill_marked(mark)
        stopping.set()

    monkeypatch.setattr("sandbox.sandbox.run", late)
    monkeypatch.setattr("sandbox.sandbox.kill_marked", kill)
    with ThreadPoolExecutor(1) as beside:
        ended = beside.submit(sandbox.run, [])
        assert begun.wait(60)
        sandbox.stop()
        with pytest.raises(OutOfTimeError):
            ended.result()
    assert len(killed) > 1


def test_what_goes_on_in_another_thread_can_be_stopped(project, open_sandbox):
    sandbox = open_sandbox(project({"test_it.py": "import time\ndef test_slow():\n    time.sleep(60)\n"}))
    began = time.monotonic()
    sandbox.deadline.end_at(began + 600.0)
    with ThreadPoolExecutor(1) as beside:
        run = beside.submit(sandbox.run, [])
        while not sandbox._under_way:
            time.sleep(0.01)
        sandbox.stop()
        with pytest.raises(OutOfTimeError):
            run.result()
    assert time.monotonic() - began < 50
    with pytest.raises(OutOfTimeError):
        sandbox.run([])
