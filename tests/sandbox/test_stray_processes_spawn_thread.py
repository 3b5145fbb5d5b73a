"""Processes outlive the thread that asked for them, and not the engine."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sandbox.stray_processes import spawn_in_thread

BOUND = (
    "import ctypes, signal, time; ctypes.CDLL(None).prctl(1, signal.SIGKILL); print('on', flush=True); time.sleep(60)"
)


def start_bound():
    """A process that dies with the thread that started it."""
    return subprocess.Popen([sys.executable, "-I", "-S", "-c", BOUND], stdout=subprocess.PIPE)


@pytest.fixture
def ended():
    started = []
    yield started
    for child in started:
        child.kill()
        child.wait()
        child.stdout.close()


def in_a_thread(start):
    found = []
    thread = threading.Thread(target=lambda: found.append(start()))
    thread.start()
    thread.join()
    return found[0]


def test_a_process_outlives_the_thread_that_asked_for_it(ended):
    control = in_a_thread(start_bound_and_wait)
    ended.append(control)
    assert control.wait(10) == -9
    child = in_a_thread(lambda: spawn_in_thread(start_bound))
    ended.append(child)
    assert child.stdout.readline() == b"on\n"
    time.sleep(0.1)
    assert child.poll() is None


def start_bound_and_wait():
    child = start_bound()
    assert child.stdout.readline() == b"on\n"
    return child


def test_a_failure_to_start_is_the_callers():
    with pytest.raises(FileNotFoundError):
        spawn_in_thread(lambda: subprocess.Popen(["/no/such/program"]))


def test_the_caller_reaps():
    child = spawn_in_thread(lambda: subprocess.Popen(["/bin/sh", "-c", "exit 7"]))
    assert child.wait() == 7
    assert not Path(f"/proc/{child.pid}").exists() or os.getpid() != child.pid
